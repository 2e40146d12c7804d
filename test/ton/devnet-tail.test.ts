import { Address } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { listedTransactions, walkBack } from '../devnet/ton';
import { until } from '../until';
import { startLocalNetwork, type LocalNetwork } from './network';

const LOW = `0:${'1a'.repeat(32)}`;
const HIGH = `0:${'fa'.repeat(32)}`;

let network: LocalNetwork;
let client: TonClient4;

/** Logical times of an account as its links have them, newest first. */
async function onChain(address: string): Promise<string[]> {
  const { last } = await client.getLastBlock();
  const { account } = await client.getAccountLite(last.seqno, Address.parseRaw(address));
  return (await walkBack(client, address, account.last!)).map(({ lt }) => lt).reverse();
}

async function indexed(address: string, length: number): Promise<string[]> {
  for (;;) {
    const { transactions } = await network.transactions.page('testnet', address, { limit: 100 });
    if (transactions.length >= length) return transactions.map(({ lt }) => lt);
    await network.transactions.waitForChange('testnet', address, 50);
  }
}

beforeAll(async () => {
  network = await startLocalNetwork('testnet');
  client = new TonClient4({ endpoint: network.devnet.url, timeout: 60_000 });
  for (const address of [LOW, HIGH]) {
    await network.watch(address);
    await network.devnet.faucet(address, 1n);
    await indexed(address, 1);
  }
});
afterAll(() => network.close());

it('indexes what a v4 server does not list at splits and merges of shards', async () => {
  const { simulation } = network.devnet;
  await simulation.pause();
  for (const [change, address] of [
    ['splitShards', LOW],
    ['mergeShards', HIGH],
  ] as const) {
    const transfer = network.devnet.faucet(address, 2n);
    await simulation[change]();
    await transfer;
  }
  await simulation.resume();
  const [low, high] = await Promise.all([LOW, HIGH].map(onChain));
  expect(await indexed(LOW, low!.length)).toEqual(low);
  expect(await indexed(HIGH, high!.length)).toEqual(high);
  const { last } = await client.getLastBlock();
  const listed = [...(await listedTransactions(client, last.seqno)).values()].flat().map(({ lt }) => lt);
  for (const chain of [low!, high!]) expect(chain.filter(lt => !listed.includes(lt))).not.toEqual([]);
});

it('refuses to continue on a node that was rolled back onto another fork', async () => {
  const { simulation } = network.devnet;
  await network.devnet.faucet(LOW, 3n);
  await indexed(LOW, 3);
  await simulation.pause();
  const { indexedHeight } = await network.status();
  await simulation.rollbackTo(indexedHeight - 2);
  await until(async () => (await network.status()).gap?.startsWith(`${indexedHeight}: `) === true);
  for (let seqno = indexedHeight - 2; seqno <= indexedHeight; seqno++) await simulation.produceBlock();
  await until(async () => (await network.status()).gap?.includes('was indexed') === true);
  expect((await network.status()).gap).toMatch(
    new RegExp(
      `^${indexedHeight}: .*the server was rolled back.* run: tidemark networks verify --network ton:\\w+ --fix$`,
    ),
  );
  expect((await network.status()).indexedHeight).toBe(indexedHeight);
  await simulation.resume();
});
