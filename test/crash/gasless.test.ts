import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, Transaction } from '@ton/core';
import {
  GASLESS_SEND_CATEGORY,
  gaslessSendEvents,
  type GaslessSendEvent,
} from '../../contracts/events/gasless-send';
import { localWallet, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { compiledPath } from '../../infra/engines/compiled-path';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { coinsOf, jettonsOf, RELAY, startLocalRelay, type LocalRelay } from '../gasless/local-relay';
import { randomFrom, scaled, SEED } from '../random';
import '../starts-programs';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import type { RelayAnswer, RelayAsk } from './gasless-relay';
import { report } from './report';

/** In `test:crash` two hundred. */
const TRANSFERS = scaled(17);
/** So many transfers are accepted before a kill. */
const BEFORE_KILL = 5;
const CLIENTS = 4;
const JETTONS = 5_000_000n;
const AMOUNT = 1_000n;

const folder = temporaryFolder();
const random = randomFrom(SEED);
const program = compiledPath('test/crash/gasless-relay.ts');
let local: LocalRelay;
beforeAll(async () => void (local = await startLocalRelay()));
afterAll(() => local.close());

/** A transfer that a user has asked for, and the message that the application posts until it is answered. */
interface Transfer {
  readonly seed: string;
  readonly wallet: LocalWallet;
  readonly receiver: Address;
  boc: string | null;
  isAccepted: boolean;
}

type Distribute<T> = T extends unknown ? Omit<T, 'number'> : never;

interface Running {
  /** Null where the program was killed before it answered. */
  ask(ask: Distribute<RelayAsk>): Promise<RelayAnswer | null>;
  kill(): Promise<void>;
}

async function start(): Promise<Running> {
  const child: ChildProcess = fork(program, [local.devnet.url, folder]);
  const waiting = new Map<number, (answer: RelayAnswer | null) => void>();
  let number = 0;
  const ready = new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the program has ended')));
    child.on('message', (message: RelayAnswer | 'ready') => {
      if (message === 'ready') resolve();
      else waiting.get(message.number)?.(message);
    });
  });
  await ready;
  return {
    ask(ask) {
      number += 1;
      const asked = { ...ask, number } as RelayAsk;
      return new Promise(resolve => {
        waiting.set(asked.number, resolve);
        if (child.exitCode !== null || child.signalCode !== null) resolve(null);
        else child.send(asked, error => error && resolve(null));
      });
    },
    async kill() {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);
      for (const resolve of waiting.values()) resolve(null);
    },
  };
}

/** As an application: asks for a price, signs, and posts the same message until it is answered. */
async function send({ ask }: Running, transfer: Transfer): Promise<void> {
  const { seed, receiver } = transfer;
  if (transfer.boc === null) {
    const to = receiver.toRawString();
    const signed = await ask({ type: 'sign', seed, to, amount: AMOUNT.toString() });
    if (signed && 'boc' in signed) transfer.boc = signed.boc;
    if (signed && 'failed' in signed) throw new Error(signed.failed);
  }
  if (transfer.boc === null) return;
  const posted = await ask({ type: 'post', seed, boc: transfer.boc });
  if (posted === null) return;
  expect(posted).toMatchObject({ refused: null });
  transfer.isAccepted = true;
}

/** Users send, and the program is killed in the middle of it. */
async function runAndKill(transfers: readonly Transfer[]): Promise<void> {
  const running = await start();
  const left = transfers.filter(({ isAccepted }) => !isAccepted);
  const goal = Math.min(BEFORE_KILL, left.length);
  let isKilled = false;
  const accepted = (): number => left.filter(({ isAccepted }) => isAccepted).length;
  const queue = [...left];
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (let next = queue.shift(); next && !isKilled; next = queue.shift()) await send(running, next);
  });
  await Promise.race([until(() => accepted() >= goal), Promise.all(clients)]);
  // While some are being emulated, signed for, or recorded.
  await sleep(random() * 1_500);
  isKilled = true;
  await running.kill();
  await Promise.all(clients);
}

async function events(): Promise<readonly GaslessSendEvent[]> {
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  try {
    const found: GaslessSendEvent[] = [];
    for await (const batch of store.readAll({ categories: [GASLESS_SEND_CATEGORY] }))
      found.push(...batch.map(recorded => gaslessSendEvents.read(recorded)));
    return found;
  } finally {
    await store.close();
  }
}

/** Newest first. */
async function transactionsOf(address: Address): Promise<Transaction[]> {
  const found: Transaction[] = [];
  const { last } = await local.api.getLastBlock();
  const { account } = await local.api.getAccount(last.seqno, address);
  let [lt, hash] = [BigInt(account.last!.lt), Buffer.from(account.last!.hash, 'base64')];
  while (lt !== 0n)
    for (const { tx } of await local.api.getAccountTransactions(address, lt, hash)) {
      found.push(tx);
      lt = tx.prevTransactionLt;
      hash = Buffer.from(tx.prevTransactionHash.toString(16).padStart(64, '0'), 'hex');
    }
  return found;
}

/** What transactions of the relay wallet have moved, in nanotons, from the first message that it has sent on. */
function moved(transactions: readonly Transaction[], since: bigint) {
  const sums = { received: 0n, sent: 0n, fees: 0n };
  const sentTo = new Map<string, bigint[]>();
  for (const { lt, inMessage, outMessages, totalFees } of transactions) {
    if (lt <= since) continue;
    sums.fees += totalFees.coins;
    if (inMessage?.info.type === 'internal') sums.received += inMessage.info.value.coins;
    for (const { info } of outMessages.values()) {
      if (info.type !== 'internal') continue;
      sums.sent += info.value.coins;
      sums.fees += info.forwardFee;
      const to = info.dest.toRawString();
      sentTo.set(to, [...(sentTo.get(to) ?? []), info.value.coins]);
    }
  }
  return { ...sums, sentTo };
}

test(`${TRANSFERS} transfers go out once each when the program is killed again and again`, async () => {
  const began = Date.now();
  const transfers = Array.from({ length: TRANSFERS }, (_, n): Transfer => {
    const seed = `killed ${n}`;
    return {
      seed,
      wallet: localWallet(seed, 'v5r1', 'testnet'),
      receiver: localWallet(`receiver ${n}`, 'v4r2', 'testnet').contract.address,
      boc: null,
      isAccepted: false,
    };
  });
  for (let at = 0; at < transfers.length; at += 100)
    await local.mintAll(
      transfers.slice(at, at + 100).map(({ wallet }) => wallet.contract.address),
      JETTONS,
    );
  const relay = RELAY.contract.address;
  const [before, [lastBefore]] = [await coinsOf(local, relay), await transactionsOf(relay)];

  let kills = 0;
  for (; transfers.some(({ isAccepted }) => !isAccepted); kills++) await runAndKill(transfers);
  const running = await start();
  await until(
    async () => {
      await local.devnet.simulation.produceBlock();
      return running.ask({ type: 'count' });
    },
    counted => counted !== null && 'ended' in counted && counted.ended === TRANSFERS,
    300_000,
  );
  await running.kill();

  const recorded = await events();
  const ofType = (type: string) => recorded.filter(event => event.type === type);
  expect(ofType('GaslessSendAccepted')).toHaveLength(TRANSFERS);
  expect(ofType('GaslessSendConfirmed')).toHaveLength(TRANSFERS);
  for (const { receiver } of transfers) expect(await jettonsOf(local, receiver)).toBe(AMOUNT);

  const accepted = recorded.flatMap(event => (event.type === 'GaslessSendAccepted' ? [event.data] : []));
  const { received, sent, fees, sentTo } = moved(await transactionsOf(relay), lastBefore!.lt);
  expect([...sentTo].sort()).toEqual(
    accepted.map(({ wallet, attached }) => [wallet, [BigInt(attached)]]).sort(),
  );
  expect(await coinsOf(local, relay)).toBe(before + received - sent - fees);
  const commissions = accepted.reduce((sum, { commission }) => sum + BigInt(commission), 0n);
  expect(await jettonsOf(local, relay)).toBe(commissions);
  report([
    ['times killed', kills],
    ['seconds', Math.round((Date.now() - began) / 1_000)],
    ['transfers', TRANSFERS],
    ['messages of the relay wallet', new Set(ofType('GaslessSendRelayed').map(relayed)).size],
  ]);
});

const relayed = ({ data }: GaslessSendEvent): string => ('messageHash' in data ? data.messageHash : '');
