import type { PublicWeb } from '../../contracts/ports/public-web';

/** A double of the public web with these documents, by URL; null: the server is down. */
export function webOf(
  documents: Readonly<Record<string, string | Buffer | null>>,
): PublicWeb & { reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    async get(url) {
      reads.push(url);
      const document = documents[url];
      if (document === undefined || document === null) throw new Error(`${url} cannot be read`);
      return Buffer.from(document);
    },
  };
}

/** A double: nothing can be read. */
export const NO_WEB: PublicWeb = webOf({});
