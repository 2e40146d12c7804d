import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gaslessBudgetStream } from '../../contracts/events/gasless-budget';
import { GASLESS_HANDOVER_CATEGORY } from '../../contracts/events/gasless-handover';
import { GASLESS_RELAY_CATEGORY } from '../../contracts/events/gasless-relay';
import { GASLESS_SEND_CATEGORY, gaslessSendStream } from '../../contracts/events/gasless-send';
import type { EventStore } from '../../contracts/ports/event-store';
import { localWallet, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { compiledPath } from '../../infra/engines/compiled-path';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { gaslessBudgetKind } from '../../services/gasless/budget/decider';
import { sendOn } from '../../services/gasless/relay/send-on';
import { createHandle } from '../../services/commands/handle';
import { load } from '../../services/commands/load';
import '../starts-programs';
import { until } from '../until';
import { temporaryFolder } from '../temporary-folder';
import { jettonsOf, startLocalRelay, USER_JETTONS, type LocalRelay } from './local-relay';
import type { PosterAnswer, PosterAsk } from './poster';
import { gaslessDeps, quoteFor, relayerOf, signedCarrier } from './relayer';

/** Processes that share an event store, to which somebody posts the same request at the same time. */

const PROCESSES = 3;
const AMOUNT = 1_000n;
let local: LocalRelay;
let store: EventStore;
let children: readonly ChildProcess[];

beforeAll(async () => {
  local = await startLocalRelay();
  const path = join(temporaryFolder(), 'events.sqlite');
  store = openSqliteEventStore({ path });
  const poster = compiledPath('test/gasless/poster.ts');
  children = Array.from({ length: PROCESSES }, () => fork(poster, [local.devnet.url, path]));
  await Promise.all(children.map(child => once(child, 'message')));
  for (const child of children)
    child.on('message', (message: PosterAnswer | 'waiting') => {
      if (message === 'waiting') waiting += 1;
    });
});
afterAll(async () => {
  for (const child of children ?? []) {
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }
  await store?.close();
  await local?.close();
});

const relayerDeps = () => gaslessDeps(relayerOf(local), { store, handle: createHandle({ store }) });

/** Processes that wait for what becomes of the post of another. */
let waiting = 0;

function ask(child: ChildProcess, asked: PosterAsk): Promise<PosterAnswer> {
  return new Promise(resolve => {
    const answered = (message: PosterAnswer | 'waiting'): void => {
      if (message === 'waiting') return;
      child.off('message', answered);
      resolve(message);
    };
    child.on('message', answered);
    child.send(asked);
  });
}

function askAll(asked: PosterAsk): Promise<PosterAnswer[]> {
  waiting = 0;
  return Promise.all(children.map(child => ask(child, asked)));
}

let users = 0;
/** Of a user of its own. */
async function signed(): Promise<{ wallet: LocalWallet; posted: PosterAsk }> {
  const wallet = localWallet(`in processes ${(users += 1)}`, 'v5r1', 'testnet');
  await local.mint(wallet.contract.address, USER_JETTONS);
  const quote = await quoteFor({ deps: relayerDeps() }, local, { wallet, to: receiver(), amount: AMOUNT });
  const boc = await signedCarrier(quote, { wallet, seqno: 0 });
  const publicKey = wallet.keys.publicKey.toString('hex');
  return { wallet, posted: { publicKey, boc: boc.toString('hex') } };
}
const receiver = () => localWallet(`of processes ${users}`, 'v4r2', 'testnet').contract.address;

async function typesOf(category: string, wallet: LocalWallet): Promise<string[]> {
  const raw = wallet.contract.address.toRawString();
  const found: string[] = [];
  for await (const events of store.readAll({ categories: [category] }))
    for (const { type, data } of events) if (JSON.stringify(data).includes(raw)) found.push(type);
  return found;
}

const ACCEPTED = Array.from({ length: PROCESSES }, () => ({ refused: null }));

it('what is posted to several at once is accepted by all, reserved and recorded once, and sent on once', async () => {
  const { wallet, posted } = await signed();
  expect(await askAll(posted)).toEqual(ACCEPTED);
  expect(await typesOf(GASLESS_SEND_CATEGORY, wallet)).toEqual(['GaslessSendAccepted']);
  const raw = wallet.contract.address.toRawString();
  const ref = { network: 'testnet' as const, wallet: raw, seqno: 0 };
  for await (const { data } of store.readStream(gaslessSendStream(ref))) {
    const { attached } = data as { attached: string };
    for (const subject of [`wallet:${raw}`, 'source:a', 'all'])
      expect((await load(store, gaslessBudgetKind, gaslessBudgetStream('testnet', subject)))?.inDay).toBe(
        attached,
      );
  }

  // Each process has its workers.
  const workers = Array.from({ length: PROCESSES }, relayerDeps);
  const sent = async () => Promise.all(workers.map(deps => sendOn(deps, relayerOf(local), [ref])));
  while ((await sent()).some(done => done.length === 0)) await sleep(20);
  await local.devnet.simulation.produceBlock();
  const signedMessages = (await typesOf(GASLESS_RELAY_CATEGORY, wallet)).filter(
    type => type === 'GaslessRelayMessageSigned',
  );
  expect([signedMessages.length, await jettonsOf(local, receiver())]).toEqual([1, AMOUNT]);
  expect(await askAll(posted)).toEqual(ACCEPTED);
});

interface SlowTonapi {
  readonly server: Server;
  readonly url: string;
  calls: number;
}

/** A double of TonAPI that answers once all others wait, or have posted too. */
async function slowTonapi(status: number): Promise<SlowTonapi> {
  const server = createServer((request, response) => {
    tonapi.calls += 1;
    request.resume();
    void until(() => waiting + tonapi.calls >= PROCESSES).then(() => {
      if (status === 0) return response.destroy();
      const body = status === 200 ? { protocol_name: 'gasless' } : { error: 'no', error_code: 40_001 };
      return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tonapi: SlowTonapi = { server, url, calls: 0 };
  return tonapi;
}

async function withTonapi(status: number, run: (tonapi: SlowTonapi) => Promise<void>): Promise<void> {
  const tonapi = await slowTonapi(status);
  try {
    await run(tonapi);
  } finally {
    tonapi.server.closeAllConnections();
    tonapi.server.close();
  }
}

it('what is posted to several at once is handed over by one, and taken as all say', () =>
  withTonapi(200, async tonapi => {
    const { wallet, posted } = await signed();
    expect(await askAll({ ...posted, tonapi: tonapi.url })).toEqual(ACCEPTED);
    expect(tonapi.calls).toBe(1);
    expect(await typesOf(GASLESS_HANDOVER_CATEGORY, wallet)).toEqual([
      'GaslessHandedOver',
      'GaslessHandoverTaken',
    ]);
  }));

it('what is refused is refused to all', () =>
  withTonapi(400, async tonapi => {
    const { wallet, posted } = await signed();
    const answers = await askAll({ ...posted, tonapi: tonapi.url });
    for (const answer of answers)
      expect('refused' in answer ? answer.refused : answer.failed).toMatch(/try-later|UpstreamRefused/);
    expect(tonapi.calls).toBe(1);
    expect(await typesOf(GASLESS_HANDOVER_CATEGORY, wallet)).toEqual([
      'GaslessHandedOver',
      'GaslessHandoverRefused',
    ]);
  }));

it('what nobody has answered is posted again by one, of all that ask', () =>
  withTonapi(0, async lost => {
    const { posted } = await signed();
    for (const answer of await askAll({ ...posted, tonapi: lost.url }))
      expect(answer).toEqual({ failed: expect.stringContaining('post the same again') as unknown });
    expect(lost.calls).toBe(1);
    await withTonapi(200, async tonapi => {
      expect(await askAll({ ...posted, tonapi: tonapi.url })).toEqual(ACCEPTED);
      expect(tonapi.calls).toBe(1);
    });
  }));
