import { z } from 'zod';

const Hash = z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'a hash of 32 bytes in base64');

/** Of `/block/latest`, as `TonClient4.getLastBlock` has it too. */
const Latest = z.object({ init: z.object({ rootHash: Hash, fileHash: Hash }) });

/** The identity of the network of a v4 server, from its response to `/block/latest`. */
export function zerostateOf(latest: unknown): string {
  const { rootHash, fileHash } = Latest.parse(latest).init;
  return `${rootHash}:${fileHash}`;
}
