import type { Document } from '../../contracts/ports/documents';
import { accountAt } from '../../test/ton/scripted-chain';
import { createNftPages } from './page';

const OWNER = { chain: 'ton', network: 'mainnet', address: accountAt(1) } as const;
const SEQNO = 1_000;
const AT = '2026-01-01T00:00:00.000Z';

interface Setting {
  /** Blocks between the transfer to the owner and the reading in which the item has another owner. */
  readonly blocksLater: number;
  /** Whether the block of the transfer is known. */
  readonly isBackfilled?: boolean;
  readonly isStale?: boolean;
}

/** Doubles of documents and of readers: another account sent the owner an item, which does not belong to the owner. */
async function requestsOf({ blocksLater, isBackfilled = false, isStale = true }: Setting): Promise<number> {
  let requests = 0;
  const transfer = { _id: '1', item: accountAt(5), lt: '7', seqno: isBackfilled ? null : SEQNO };
  const reader = { collection: 'observed', isStale: () => isStale };
  const read = createNftPages({
    views: {
      find: <D extends Document>(collection: string) =>
        Promise.resolve({
          documents: (collection === 'ton_nft_transfers' ? [transfer] : []) as unknown as D[],
          next: null,
        }),
      get: () => Promise.resolve({ backfilled: 1, reached: null }),
      cached: (_query: object, find: () => Promise<unknown>) => find(),
      waitForChange: () => Promise.resolve(),
    } as never,
    watch: () => Promise.resolve(1),
    items: {
      ...reader,
      findMany: () => Promise.resolve([{ height: SEQNO + blocksLater, at: AT, data: null }]),
      request: () => Promise.resolve(void requests++),
    } as never,
    collections: reader as never,
    documents: reader as never,
    gatewayUrl: uri => uri,
    publicUrl: null,
    logger: undefined as never,
    waitMs: 1,
  });
  const call = { signal: new AbortController().signal } as never;
  const { data } = await read(OWNER, { first: 10, after: undefined }, call);
  expect(data).toEqual({ items: [], cursor: null });
  return requests;
}

it('reads an item again that was read in the block of a transfer by others', async () => {
  expect(await requestsOf({ blocksLater: 0, isStale: false })).toBeGreaterThan(0);
  expect(await requestsOf({ blocksLater: 1, isStale: false })).toBe(0);
});

it('reads an item again and again for some minutes after a transfer by others, and then no more', async () => {
  expect(await requestsOf({ blocksLater: 1_499 })).toBe(1);
  expect(await requestsOf({ blocksLater: 1_500 })).toBe(0);
  expect(await requestsOf({ blocksLater: 1_500, isBackfilled: true })).toBe(1);
});
