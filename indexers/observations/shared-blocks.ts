import type { Clients } from '../../contracts/observation/observation';
import type { TonBlockRef } from '../../contracts/ports/ton-client';

/** Less than a block takes. */
const MAX_AGE_MS = 1_000;

/**
 * Clients for many reads of one network, one after the other: asked for its last block each time, its nodes would be called twice for
 * each read.
 * @param now milliseconds since the epoch
 */
export function sharingBlocks(clients: Clients, now: () => number): Clients {
  const newest = new Map<string, { readonly askedAt: number; readonly block: Promise<TonBlockRef> }>();
  return {
    ...clients,
    ton(network) {
      const client = clients.ton(network);
      const getLastBlock = (): Promise<TonBlockRef> => {
        const known = newest.get(network);
        if (known && now() - known.askedAt < MAX_AGE_MS) return known.block;
        const block = client.getLastBlock();
        newest.set(network, { askedAt: now(), block });
        // A failure is of the reads that wait for it.
        block.catch(() => newest.delete(network));
        return block;
      };
      return { ...client, getLastBlock };
    },
  };
}
