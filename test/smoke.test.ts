import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import { Address } from '@ton/core';
import { send } from './e2e/client';
import { installation, type LocalNetworks } from './e2e/installation';
import { restartWithPendingRequests } from './e2e/restart';
import './starts-programs';
import { until } from './until';

/*
 * That the whole program, as `npm start` runs it, follows both chains, keeps the ledger and survives a restart. All else that whole
 * programs do is tested by `npm run test:programs`.
 */
const main = installation();

const account = {
  tonAddress: new Address(0, Buffer.alloc(32, 7)).toString(),
  solanaAddress: Keypair.generate().publicKey.toBase58(),
};

interface Item {
  readonly type: string;
  readonly data: object;
}

/** Of the account, TON before Solana, once both are there. */
const history = (): Promise<readonly Item[]> =>
  until(
    async () => {
      const { body } = await main.post('/transactions/v3', { account, network: 'mainnet' });
      return ((body as { data?: Item[] }).data ?? []).sort((a, b) => b.type.localeCompare(a.type));
    },
    items => items.length === 2,
  );

test('shows what an account has received on both chains, also after a restart that loses nothing of the ledger', async () => {
  const { ton, solana } = await main.places();
  const mainnet = ({ network }: LocalNetworks['ton' | 'solana'][number]) => network === 'mainnet';
  const gift = { address: account.tonAddress, amount: '1000000000' };
  const { status } = await send(ton.find(mainnet)!.endpoint, 'POST', '/faucet', {
    body: JSON.stringify(gift),
  });
  expect(status).toBe(200);
  const { endpoint, websocket } = solana.find(mainnet)!;
  const connection = new Connection(endpoint, { wsEndpoint: websocket });
  await connection.requestAirdrop(new PublicKey(account.solanaAddress), LAMPORTS_PER_SOL);
  const before = await history();
  expect(before).toMatchObject([
    { type: 'ton', data: { operation: { items: [{ kind: 'ton', amount: '1000000000' }] } } },
    { type: 'solana', data: { nativeTransfers: [{ amount: LAMPORTS_PER_SOL }] } },
  ]);
  await restartWithPendingRequests(main);
  expect(await history()).toEqual(before);
});
