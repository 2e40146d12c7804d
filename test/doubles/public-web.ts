import type { PublicWeb, WebDocument } from '../../contracts/ports/public-web';

/** A double of the public web with these documents, by URL; null: the server is down. */
export function webOf(
  documents: Readonly<Record<string, string | Buffer | null>>,
): PublicWeb & { reads: string[] } {
  const reads: string[] = [];
  async function read(url: string): Promise<WebDocument> {
    reads.push(url);
    const document = documents[url];
    if (document === undefined || document === null) throw new Error(`${url} cannot be read`);
    return { bytes: Buffer.from(document), url, contentType: '' };
  }
  return { reads, read, get: async url => (await read(url)).bytes };
}

/** A double: nothing can be read. */
export const NO_WEB: PublicWeb = webOf({});
