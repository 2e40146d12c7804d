import { Address, internal, toNano } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { listedTransactions, walkBack } from '../devnet/ton';
import { startLocalNetwork, type LocalNetwork } from './network';

const LOW = `0:${'1a'.repeat(32)}`;
const HIGH = `0:${'fa'.repeat(32)}`;

let network: LocalNetwork;
let client: TonClient4;
let wallet: LocalWallet;

const pay = (): Promise<void> =>
  transfer(
    client,
    wallet,
    [LOW, HIGH].map(to => internal({ to: Address.parseRaw(to), value: 1_000n, bounce: false })),
  );

async function settled(): Promise<void> {
  const { last } = await client.getLastBlock();
  while (network.indexer.status().frontier! < last.seqno) await network.transactions.changed(20);
}

/** Logical times of an account as its chain has them, newest first; read by its links. */
async function onChain(address: string): Promise<string[]> {
  const { last } = await client.getLastBlock();
  const { account } = await client.getAccountLite(last.seqno, Address.parseRaw(address));
  return (await walkBack(client, address, account.last!)).map(({ lt }) => lt).reverse();
}

async function indexed(address: string, length: number): Promise<string[]> {
  for (;;) {
    const { transactions } = await network.transactions.page('testnet', address, { limit: 100 });
    if (transactions.length >= length) return transactions.map(({ lt }) => lt);
    await network.transactions.changed(50);
  }
}

beforeAll(async () => {
  network = await startLocalNetwork('testnet');
  client = new TonClient4({ endpoint: network.devnet.url, timeout: 20_000 });
  wallet = await localWallet('devnet tail', 'v5r1', 'testnet');
  await network.devnet.faucet(wallet.contract.address.toRawString(), toNano(100));
  for (const address of [LOW, HIGH, wallet.contract.address.toRawString()]) await network.watch(address);
}, 60_000);
afterAll(() => network.close());

it('has what a v4 server does not list at splits and merges of shards', async () => {
  const { simulation } = network.devnet;
  await pay();
  for (const change of ['splitShards', 'mergeShards', 'splitShards'] as const) {
    await simulation.pause();
    const paid = pay();
    while ((await onChain(wallet.contract.address.toRawString())).length % 2 === 1) {
      await simulation[change]();
      break;
    }
    await simulation.resume();
    await paid;
  }
  await settled();
  for (const address of [LOW, HIGH, wallet.contract.address.toRawString()]) {
    const chain = await onChain(address);
    expect(await indexed(address, chain.length)).toEqual(chain);
  }
  const { last } = await client.getLastBlock();
  const listed = [...(await listedTransactions(client, last.seqno)).values()].flat();
  const all = (await Promise.all([LOW, HIGH].map(onChain))).flat();
  expect(all.some(lt => !listed.some(tx => tx.lt === lt))).toBe(true);
});
