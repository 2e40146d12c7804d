import type { JettonOwnerSubject } from '../../contracts/chain/ton-token-observations';
import type { ObservedReader } from '../../contracts/observation/reader';
import type { Document } from '../../contracts/ports/documents';
import { JETTON_RECEIPTS, JETTONS } from '../../projections/ton/jettons/projection';
import type { Views } from '../../projections/views';
import { listJettons } from './jetton-list';

const ALICE = { chain: 'ton', network: 'mainnet', address: `0:${'a'.repeat(64)}` } as const;
const [MASTER, WALLET] = [`0:${'1'.repeat(64)}`, `0:${'2'.repeat(64)}`];

/** @param used the block with the newest transaction of the owner that names the wallet @param sent as `used`, of somebody else */
async function arrivalOf({ used, sent }: { used: number | null; sent: number | null }) {
  const stored: Readonly<Record<string, readonly object[]>> = {
    [JETTONS.name]: [{ wallet: WALLET, master: MASTER, seqno: used }],
    [JETTON_RECEIPTS.name]: sent === null ? [] : [{ master: MASTER, seqno: sent }],
  };
  const views = {
    get: async () => null,
    find: async <D extends Document>(collection: string) => ({
      documents: (stored[collection] ?? []) as readonly D[],
      next: null,
    }),
  } as unknown as Views;
  const ownedJettons = { findPart: async () => [] } as unknown as ObservedReader<
    JettonOwnerSubject,
    string | null
  >;
  const { jettons } = await listJettons({ views, ownedJettons }, ALICE);
  return jettons.map(({ seqno, arrival }) => [seqno, arrival]);
}

it('what an owner sends may leave the wallet a block later, and what is received arrives two blocks later', async () => {
  expect(await arrivalOf({ used: 7, sent: null })).toEqual([[7, 8]]);
  expect(await arrivalOf({ used: 7, sent: 6 })).toEqual([[7, 8]]);
  expect(await arrivalOf({ used: 7, sent: 9 })).toEqual([[9, 11]]);
  expect(await arrivalOf({ used: null, sent: null })).toEqual([[null, null]]);
});
