import { type Address, internal, toNano } from '@ton/core';
import express from 'express';
import request from 'supertest';
import { gaslessBudgetStream } from '../../contracts/events/gasless-budget';
import { GASLESS_RELAY_CATEGORY, gaslessRelayEvents } from '../../contracts/events/gasless-relay';
import { gaslessSendStream } from '../../contracts/events/gasless-send';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import type { ProgramDeps } from '../../infra/program/feature';
import { gaslessSendingWith } from '../../infra/program/features/gasless/sending';
import type { TonClient } from '../../contracts/ports/ton-client';
import { gaslessBudgetKind } from '../../services/gasless/budget/decider';
import { gaslessSendKind, type GaslessSend, type SendStep } from '../../services/gasless/send/decider';
import { load } from '../../services/commands/load';
import { startLocalNetwork, type LocalNetwork } from '../ton/network';
import { until } from '../until';
import { coinsOf, jettonsOf, PAID, RELAY, startLocalRelay, type LocalRelay } from './local-relay';
import { gaslessDeps, post, quoteFor, relayerOf, signedCarrier, type TestRelayer } from './relayer';

jest.setTimeout(300_000);

/** While it is, no message of the relay wallet reaches the network. */
let isCutOff = false;
let network: LocalNetwork;
let local: LocalRelay;
let test: Pick<TestRelayer, 'deps'>;

beforeAll(async () => {
  network = await startLocalNetwork('testnet', {
    features: [gaslessSendingWith(relayers, { followMs: 500 })],
  });
  local = await startLocalRelay(network.devnet);
  const { store } = network.engines;
  test = { deps: gaslessDeps(relayerOf(local), { store, handle: network.deps.handle }) };
});
afterAll(async () => {
  await network.close();
  await local.close();
});

function relayers({ sources }: ProgramDeps) {
  const client = sources.clients.ton('testnet');
  const cut: TonClient = {
    ...client,
    sendMessage: boc => (isCutOff ? Promise.reject(new Error('cut off')) : client.sendMessage(boc)),
  };
  const refuse = () => Promise.reject(new Error('nothing is accepted here'));
  const emulator = { emulate: refuse, jettonsIn: refuse, jettonWalletOf: refuse };
  const relayer = relayerOf({ client: cut, emulator, relay: RELAY, master: PAID.address });
  return Promise.resolve((name: string) => (name === 'testnet' ? relayer : null));
}

let count = 0;
const AMOUNT = 1_000n;

async function users(number: number): Promise<LocalWallet[]> {
  const made = Array.from({ length: number }, () => localWallet(`sender ${(count += 1)}`, 'v5r1', 'testnet'));
  await local.mintAll(
    made.map(({ contract }) => contract.address),
    5_000_000n,
  );
  return made;
}
const receiver = (): Address => localWallet(`receiver ${(count += 1)}`, 'v4r2', 'testnet').contract.address;

async function send(wallet: LocalWallet, to: Address, seqno = 0): Promise<void> {
  const quote = await quoteFor(test, local, { wallet, to, amount: AMOUNT });
  expect(await post(test, await signedCarrier(quote, { wallet, seqno }), wallet, rawOf(wallet))).toBeNull();
}

const rawOf = ({ contract }: LocalWallet): string => contract.address.toRawString();
const sendOf = (wallet: LocalWallet, seqno = 0): Promise<GaslessSend | null> =>
  load(
    network.engines.store,
    gaslessSendKind,
    gaslessSendStream({ network: 'testnet', wallet: rawOf(wallet), seqno }),
  );

/** Until all are at the step: a block a look, since what a message causes goes on in the next ones. */
async function untilAll(wallets: readonly LocalWallet[], step: SendStep): Promise<void> {
  await until(
    async () => {
      await network.devnet.simulation.produceBlock();
      const steps = await Promise.all(wallets.map(async wallet => (await sendOf(wallet))?.step));
      return steps.filter(each => each !== step);
    },
    others => others.length === 0,
  );
}

async function relayMessages() {
  const found = [];
  for await (const events of network.engines.store.readAll({ categories: [GASLESS_RELAY_CATEGORY] }))
    found.push(...events.map(event => gaslessRelayEvents.read(event)));
  return found;
}

it('what waits goes out in one message, and each transfer is confirmed', async () => {
  const [wallets, to] = [await users(12), receiver()];
  isCutOff = true;
  // At once: the budget that they share has each of them wait, and refuses none.
  await Promise.all(wallets.map(wallet => send(wallet, to)));
  isCutOff = false;
  await untilAll(wallets, 'confirmed');
  expect(await jettonsOf(local, to)).toBe(BigInt(wallets.length) * AMOUNT);
  const signed = (await relayMessages()).filter(({ type }) => type === 'GaslessRelayMessageSigned');
  const sizes = signed.map(({ data }) => ('requests' in data ? data.requests.length : 0));
  expect(sizes.reduce((sum, size) => sum + size)).toBe(wallets.length);
  // One was signed before the others were there, and waited.
  expect(sizes).toHaveLength(2);
});

it('a wallet that is faster than the relayer has its transfer refused, and waits', async () => {
  const [[wallet], to] = [await users(1), receiver()];
  await local.devnet.faucet(rawOf(wallet!), toNano(1));
  isCutOff = true;
  await send(wallet!, to);
  await transfer(local.api, wallet!, [internal({ to, value: toNano('0.01') })]);
  const before = await coinsOf(local, local.relay.contract.address);
  isCutOff = false;
  await untilAll([wallet!], 'bounced');
  expect(await jettonsOf(local, to)).toBe(0n);
  const lost = before - (await coinsOf(local, local.relay.contract.address));
  // Of 0.13 TON that were attached.
  expect(lost).toBeLessThan(toNano('0.02'));

  const subject = `wallet:${rawOf(wallet!)}`;
  const budget = await load(
    network.engines.store,
    gaslessBudgetKind,
    gaslessBudgetStream('testnet', subject),
  );
  expect(budget).toMatchObject({ bounces: 1 });
  const quote = await quoteFor(test, local, { wallet: wallet!, to, amount: AMOUNT });
  const again = await signedCarrier(quote, { wallet: wallet!, seqno: 1 });
  expect(await post(test, again, wallet!, 'elsewhere')).toMatchObject({ error: 'cooldown' });
});

it('operators see the balance, what waits, and what became of transfers', async () => {
  const pages = express().use(
    (_request, { locals }, next) => {
      locals['requestId'] = 'test';
      next();
    },
    ...network.operatorsPages,
  );
  const { text } = await request(pages).get('/metrics');
  expect(text).toContain('tidemark_gasless_sending 0');
  expect(text).toContain('tidemark_gasless_messages_without_outcome 0');
  expect(text).toContain('tidemark_gasless_transfers_total{outcome="confirmed"} 12');
  expect(text).toMatch(/tidemark_gasless_relay_balance_toncoins{network="testnet"} 4\d\./);
  const { body } = await request(pages).get('/health/ready');
  expect(body).toMatchObject({ checks: { gasless_relay_testnet: 'ok' } });
});

it('what a fork takes back is sent on again, once', async () => {
  const [[wallet], to] = [await users(1), receiver()];
  const { simulation } = local.devnet;
  await simulation.produceBlock();
  const { seqno } = await local.client.getLastBlock();
  await send(wallet!, to);
  await untilAll([wallet!], 'confirmed');
  const { seqno: tip } = await local.client.getLastBlock();
  await simulation.rollbackTo(seqno);
  // The message of the relay wallet expires, and the request does not.
  await local.devnet.advanceTime(200);
  await until(async () => {
    await simulation.produceBlock();
    return (await local.client.getLastBlock()).seqno > tip && (await jettonsOf(local, to)) > 0n;
  });
  expect(await jettonsOf(local, to)).toBe(AMOUNT);
});
