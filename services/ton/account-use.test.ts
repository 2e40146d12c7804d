import type { AccountRef } from '../../contracts/network/network';
import type { Clients } from '../../contracts/observation/observation';
import type { TonAccountLite, TonClient } from '../../contracts/ports/ton-client';
import type { Views } from '../../projections/views';
import { tonAccountUse } from './account-use';

const account: AccountRef = { chain: 'ton', network: 'testnet', address: `0:${'5'.repeat(64)}` };
const reached = { backfilled: 1, reached: null };

const stored = (document: object | null) =>
  tonAccountUse.hasTransaction({ get: async () => document } as unknown as Views, account);

const onChain = (state: Partial<TonAccountLite>) => {
  const client = {
    getLastBlock: async () => ({ seqno: 5, now: 0 }),
    getAccountLite: async () => ({ balance: 0n, lastTransaction: null, ...state }),
  } as unknown as TonClient;
  return tonAccountUse.isOnChain({ ton: () => client } as unknown as Clients, account);
};

it('is used once a transaction is stored, not when it was found to have none', async () => {
  expect(await stored(null)).toBe(false);
  expect(await stored({ newest: null, ...reached })).toBe(false);
  expect(await stored({ newest: '00000000000000000007', ...reached })).toBe(true);
});

it('is used if the chain has a transaction or a balance of it', async () => {
  expect(await onChain({})).toBe(false);
  expect(await onChain({ balance: 1n })).toBe(true);
  expect(await onChain({ lastTransaction: { lt: '7', hash: 'ab' } })).toBe(true);
});
