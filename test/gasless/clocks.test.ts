import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localWallet } from '../../infra/devnet/ton/wallets';
import { relayView, startLocalRelay, USER_JETTONS, type LocalRelay } from './local-relay';
import { ask, post, quoteFor, signedCarrier, testRelayer, type TestRelayer } from './relayer';

/** Machines whose clocks differ from that of the network, and nodes that are behind. */

const AMOUNT = 1_000n;
let local: LocalRelay;
let test: TestRelayer;
beforeAll(async () => {
  local = await startLocalRelay();
  test = testRelayer(local);
});
afterAll(async () => {
  await test.close();
  await local.close();
});

/** @param seconds by which the clock of the machine is ahead of the newest block */
async function ahead(seconds: number): Promise<Pick<TestRelayer, 'deps'>> {
  await local.devnet.simulation.produceBlock();
  const { now } = await local.client.getLastBlock();
  return { deps: { ...test.deps, clock: () => new Date((now + seconds) * 1_000) } };
}

async function transferOf(name: string) {
  const wallet = localWallet(name, 'v5r1', 'testnet');
  await local.mint(wallet.contract.address, USER_JETTONS);
  return { wallet, to: localWallet(`to ${name}`, 'v4r2', 'testnet').contract.address, amount: AMOUNT };
}

it.each([-60, 60])('a clock that is %d seconds ahead refuses nothing', async seconds => {
  const wanted = await transferOf(`clock ${seconds}`);
  const machine = await ahead(seconds);
  const quote = await quoteFor(machine, local, wanted);
  const { now } = await local.client.getLastBlock();
  // Of the clients that are known, that with the shortest validity.
  const boc = await signedCarrier(quote, { wallet: wanted.wallet, seqno: 0, validUntil: now + 120 });
  expect(await post(machine, boc, wanted.wallet)).toBeNull();
});

it('nodes that are behind by minutes are not asked what a transfer costs, nor whether it will arrive', async () => {
  const wanted = await transferOf('behind');
  const quote = await quoteFor(await ahead(0), local, wanted);
  const boc = await signedCarrier(quote, { wallet: wanted.wallet, seqno: 0 });
  const stuck = await ahead(121);
  const refused = { error: 'try-later', detail: 'the nodes are behind' };
  expect(await ask(stuck, local, wanted)).toMatchObject(refused);
  expect(await post(stuck, boc, wanted.wallet)).toMatchObject(refused);
  expect(await post(await ahead(0), boc, wanted.wallet)).toBeNull();
});

it('a first node that is stuck refuses nothing while the second is not', async () => {
  await local.devnet.simulation.produceBlock();
  const { last } = await local.api.getLastBlock();
  const hash = { rootHash: last.rootHash, fileHash: last.fileHash };
  const then = Math.floor(Date.now() / 1_000) - 300;
  const stuck = createServer((_, response) =>
    response.end(JSON.stringify({ last, init: hash, stateRootHash: last.rootHash, now: then })),
  ).listen(0, '127.0.0.1');
  await once(stuck, 'listening');
  const url = `http://127.0.0.1:${(stuck.address() as AddressInfo).port}`;
  const view = await relayView([url, local.devnet.url]);
  const relayer = testRelayer({ ...local, client: view.client, emulator: view.emulator });
  try {
    const wanted = await transferOf('stuck');
    const quote = await quoteFor(relayer, local, wanted);
    const boc = await signedCarrier(quote, { wallet: wanted.wallet, seqno: 0 });
    expect(await post(relayer, boc, wanted.wallet)).toBeNull();
  } finally {
    await relayer.close();
    view.stop();
    stuck.closeAllConnections();
    stuck.close();
  }
});

it('a request that has expired by the clock is refused, whatever a node says that is behind', async () => {
  const wanted = await transferOf('expired');
  const behind = await ahead(110);
  const quote = await quoteFor(behind, local, wanted);
  const { now } = await local.client.getLastBlock();
  const boc = await signedCarrier(quote, { wallet: wanted.wallet, seqno: 0, validUntil: now + 60 });
  expect(await post(behind, boc, wanted.wallet)).toMatchObject({ error: 'try-later' });
});
