import type { IncomingMessage } from 'node:http';
import { type Address, internal, toNano } from '@ton/core';
import { GASLESS_RELAY_CATEGORY, gaslessRelayEvents } from '../../contracts/events/gasless-relay';
import { gaslessSendStream } from '../../contracts/events/gasless-send';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import type { ProgramDeps } from '../../infra/program/feature';
import { gaslessSendingWith } from '../../infra/program/features/gasless/sending';
import { load } from '../../services/commands/load';
import { gaslessSendKind, type SendStep } from '../../services/gasless/send/decider';
import { openReplacedServer, type Answer, type ReplacedServer } from '../doubles/replaced-server';
import { startLocalNetwork, type LocalNetwork } from '../ton/network';
import { until } from '../until';
import { coinsOf, jettonsOf, PAID, RELAY, startLocalRelay, type LocalRelay } from './local-relay';
import { gaslessDeps, post, quoteFor, relayerOf, signedCarrier, type TestRelayer } from './relayer';

/** What becomes of requests when the node that messages are sent to fails, or does something else than it says. */

jest.setTimeout(300_000);

const AMOUNT = 1_000n;
let network: LocalNetwork;
let local: LocalRelay;
let test: Pick<TestRelayer, 'deps'>;
let node: ReplacedServer;

beforeAll(async () => {
  network = await startLocalNetwork('testnet', {
    features: [gaslessSendingWith(relayers, { followMs: 500 })],
    nodeOf: async url => {
      node = await openReplacedServer(url);
      return node.url;
    },
  });
  local = await startLocalRelay(network.devnet);
  const { store } = network.engines;
  test = { deps: gaslessDeps(relayerOf(local), { store, handle: network.deps.handle }) };
});
afterEach(() => {
  node.answer = null;
});
afterAll(async () => {
  await network.close();
  await local.close();
  await node.close();
});

function relayers({ sources }: ProgramDeps) {
  const refuse = () => Promise.reject(new Error('nothing is accepted here'));
  const emulator = { emulate: refuse, jettonsIn: refuse, jettonWalletOf: refuse };
  const client = sources.clients.ton('testnet');
  const relayer = relayerOf({ client, emulator, relay: RELAY, master: PAID.address });
  return Promise.resolve((name: string) => (name === 'testnet' ? relayer : null));
}

interface Sent {
  readonly wallet: LocalWallet;
  readonly to: Address;
}

let count = 0;
const rawOf = ({ contract }: LocalWallet): string => contract.address.toRawString();

async function send(validFor = 300): Promise<Sent> {
  const wallet = localWallet(`broadcast ${(count += 1)}`, 'v5r1', 'testnet');
  await local.mint(wallet.contract.address, 5_000_000n);
  const to = localWallet(`broadcast to ${count}`, 'v4r2', 'testnet').contract.address;
  const quote = await quoteFor(test, local, { wallet, to, amount: AMOUNT });
  const { now } = await local.client.getLastBlock();
  const validUntil = Math.max(now, Math.floor(Date.now() / 1_000)) + validFor;
  const boc = await signedCarrier(quote, { wallet, seqno: 0, validUntil });
  expect(await post(test, boc, wallet, rawOf(wallet))).toBeNull();
  return { wallet, to };
}

const stepOf = async ({ wallet }: Sent): Promise<SendStep | undefined> => {
  const ref = { network: 'testnet', wallet: rawOf(wallet), seqno: 0 } as const;
  return (await load(network.engines.store, gaslessSendKind, gaslessSendStream(ref)))?.step;
};

/** A block a look. */
async function untilStep(sent: Sent, step: SendStep): Promise<void> {
  await until(
    async () => {
      await network.devnet.simulation.produceBlock();
      return stepOf(sent);
    },
    found => found === step,
  );
}

/** Of the relay wallet, that have this request. */
async function messagesWith({ wallet }: Sent): Promise<number> {
  let found = 0;
  for await (const events of network.engines.store.readAll({ categories: [GASLESS_RELAY_CATEGORY] }))
    for (const { type, data } of events.map(event => gaslessRelayEvents.read(event)))
      if (type === 'GaslessRelayMessageSigned' && data.requests.some(each => each.wallet === rawOf(wallet)))
        found += 1;
  return found;
}

const isSending = ({ method, url }: IncomingMessage): boolean => method === 'POST' && url!.endsWith('/send');

/** The node has it from here on. */
async function passOn(body: AsyncIterable<Uint8Array>): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  await fetch(`${local.devnet.url}/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(chunks),
  });
}

/** Of a message: from the first on. */
const sending =
  (answer: (...given: [...Parameters<Answer>, number]) => Promise<void> | void): Answer =>
  (request, response) => {
    if (!isSending(request)) return false;
    attempts += 1;
    void answer(request, response, attempts);
    return true;
  };
let attempts = 0;

const FAULTS: readonly (readonly [string, Answer])[] = [
  [
    'has taken it, and answers 500',
    sending(async (request, response) => {
      await passOn(request);
      response.writeHead(500).end('{"error":"Internal error"}');
    }),
  ],
  [
    'has taken it, and says that it is a duplicate',
    sending(async (request, response) => {
      await passOn(request);
      response.writeHead(400).end('{"error":"cannot apply external message: duplicate message"}');
    }),
  ],
  [
    'has taken it, and hangs up',
    sending(async (request, response) => {
      await passOn(request);
      response.destroy();
    }),
  ],
  [
    'drops it and says that it has it, at first',
    sending(async (request, response, attempt) => {
      if (attempt > 3) await passOn(request);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":1}');
    }),
  ],
  [
    'is down at first',
    sending(async (request, response, attempt) => {
      if (attempt <= 6) return void response.destroy();
      await passOn(request);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":1}');
    }),
  ],
];

it.each(FAULTS)('sends on once what the node is asked to send that %s', async (_, answer) => {
  const before = await coinsOf(local, local.relay.contract.address);
  [attempts, node.answer] = [0, answer];
  const sent = await send();
  await untilStep(sent, 'confirmed');
  expect(attempts).toBeGreaterThan(0);
  expect([await messagesWith(sent), await jettonsOf(local, sent.to)]).toEqual([1, AMOUNT]);
  const lost = before - (await coinsOf(local, local.relay.contract.address));
  expect(lost).toBeLessThan(toNano('0.13'));
});

it('a request has expired, and costs nothing, when the node drops every message and says that it has it', async () => {
  const before = await coinsOf(local, local.relay.contract.address);
  attempts = 0;
  node.answer = sending((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":1}');
  });
  const sent = await send(100);
  await until(
    () => messagesWith(sent),
    found => found === 1,
  );
  // The message of the relay wallet is dead then, and so is the request.
  await local.devnet.advanceTime(400);
  await untilStep(sent, 'expired');
  expect(await jettonsOf(local, sent.to)).toBe(0n);
  expect(await coinsOf(local, local.relay.contract.address)).toBe(before);

  node.answer = null;
  const next = await send();
  await untilStep(next, 'confirmed');
});

it('a request is not taken for sent when the key of the relay wallet signs something else elsewhere', async () => {
  attempts = 0;
  const isCutOff: Answer = sending((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":1}');
  });
  node.answer = isCutOff;
  const sent = await send();
  await until(
    () => messagesWith(sent),
    found => found === 1,
  );
  await transfer(local.api, local.relay, [internal({ to: sent.to, value: toNano('0.01'), bounce: false })]);
  node.answer = null;
  await untilStep(sent, 'confirmed');
  expect([await messagesWith(sent), await jettonsOf(local, sent.to)]).toEqual([2, AMOUNT]);
});
