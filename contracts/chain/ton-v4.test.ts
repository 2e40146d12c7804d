import { z } from 'zod';
import { account, accountLite } from './ton-v4';

/** Of `TonClient4` up to version 15.2 of @ton/ton; later ones take an answer without `publicCells`, and with it. */
const usedOf15 = z.object({ bits: z.number(), cells: z.number(), publicCells: z.number() });

const answer = (used: object) => ({
  account: {
    state: { type: 'uninit' },
    balance: { coins: '7', currencies: {} },
    last: null,
    storageStat: { lastPaid: 1, duePayment: null, used },
  },
  block: { workchain: -1, seqno: 5, shard: '-9223372036854775808', rootHash: HASH, fileHash: HASH },
});
const HASH = Buffer.alloc(32, 1).toString('base64');

it.each([
  [{ bits: 119, cells: 1 }, 0],
  [{ bits: 119, cells: 1, publicCells: 3 }, 3],
])('tells clients of any version how much an account that uses %j uses', (used, publicCells) => {
  for (const schema of [account, accountLite]) {
    const { storageStat } = schema.parse(answer(used)).account;
    expect(usedOf15.parse(storageStat!.used)).toEqual({ bits: 119, cells: 1, publicCells });
  }
});
