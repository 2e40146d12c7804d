import type { AccountRef } from '../../contracts/network/network';
import type { Clients } from '../../contracts/observation/observation';
import type { SolanaClient } from '../../contracts/ports/solana-client';
import type { Views } from '../../projections/views';
import { solanaAccountUse } from './account-use';

const account: AccountRef = {
  chain: 'solana',
  network: 'devnet',
  address: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
};

const stored = (...documents: object[]) =>
  solanaAccountUse.hasTransaction({ find: async () => ({ documents }) } as unknown as Views, account);

const onChain = (balance: string) => {
  const client = { getAccount: async () => ({ slot: 5, value: { balance } }) } as unknown as SolanaClient;
  return solanaAccountUse.isOnChain({ solana: () => client } as unknown as Clients, account);
};

it('is used once a transaction is stored, also one without a balance', async () => {
  expect(await stored()).toBe(false);
  expect(await stored({ signature: 'x', balance: null })).toBe(true);
});

it('is used if the chain has a balance of it', async () => {
  expect(await onChain('0')).toBe(false);
  expect(await onChain('1')).toBe(true);
});
