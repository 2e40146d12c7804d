import { setImmediate as nextTurn } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import pino from 'pino';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { accountKey } from '../../contracts/network/network';
import type { Document } from '../../contracts/ports/documents';
import type { ChangedParts } from '../../contracts/ports/wake-ups';
import { solanaAccountObservation } from '../../indexers/solana/observations/account';
import type { Views } from '../../projections/views';
import { Problem } from '../../contracts/problem/problem';
import { until } from '../../test/until';
import { createObservedReader } from '../observations/reader';
import { createAccountNotifier } from './account-stream-notifier';
import { tokenAccountsOf, type AccountMessage } from './account-stream-state';

const CALLER = { ip: '192.0.2.1' };

const ALICE = 'So11111111111111111111111111111111111111112';
const BOB = '11111111111111111111111111111112';
const alice = { network: 'mainnet', address: ALICE } as const;
const bob = { network: 'mainnet', address: BOB } as const;
const owner = { network: 'mainnet', address: Keypair.generate().publicKey.toBase58() } as const;
const keyOf = (address: string): string => accountKey({ chain: 'solana', network: 'mainnet', address });

/** The newest transaction of each account, whose subscribers are notified by hand, and what the notifier does. */
function fixture() {
  const newest = new Map<string, number>();
  const subscribers = new Map<string, (parts: ChangedParts) => void>();
  const reads: string[] = [];
  const watched: string[] = [];
  const callers: (string | undefined)[] = [];
  /** Whose accounts are not watched, and why. */
  const refused = new Map<string, Error>();
  const lines: string[] = [];
  let ended = 0;
  let isAvailable = true;
  let isBackfilled = true;
  /** The token account through which the owner is affected by transactions that do not name him. */
  let through: string | null = null;
  const views = {
    get: async (collection: string, id: string) => {
      if (collection === 'solana_transactions') {
        const slot = newest.get(id.split('/')[0]!);
        return id.endsWith(`/s${slot}`) ? { blockhash: `b${slot}`, finality: 'confirmed', item: '{}' } : null;
      }
      if (collection === 'observed_solana_account')
        return {
          height: 1_000,
          at: '',
          data: { balance: '5', owner: BOB, executable: false, rentEpoch: 0, space: 0 },
        };
      return isBackfilled ? { watch: 1, slot: 1, since: -1, parts: 1, complete: true } : null;
    },
    find: async (_collection: string, { filter }: { filter: { account: string } }) => {
      if (!isAvailable) throw new Error('no engine');
      const { account } = filter;
      reads.push(account);
      const slot = newest.get(account);
      const item = JSON.stringify({ tokenTransfers: [{ fromTokenAccount: '', toTokenAccount: through }] });
      const mentioned = through === null || account === keyOf(through);
      const signature = `s${slot}`;
      const document = { _id: '', slot, signature, blockhash: `b${slot}`, balance: '5', mentioned, item };
      return { documents: slot === undefined ? [] : [document as unknown as Document], next: null };
    },
    subscribe: (collection: string, onChange: (parts: ChangedParts) => void) => {
      subscribers.set(collection, onChange);
      return () => void (ended += 1);
    },
  } as unknown as Views;
  const logger = pino({ level: 'info' }, { write: line => void lines.push(line) });
  const jobs = { add: async () => true };
  const notifier = createAccountNotifier({
    views,
    accounts: createObservedReader(solanaAccountObservation, { views, jobs, logger, now: Date.now }),
    watch: async (account, reader) => {
      watched.push(accountKey(account));
      callers.push(reader?.ip);
      const refusal = refused.get(reader!.ip);
      if (refusal) throw refusal;
      return 1;
    },
    logger,
  });
  const notify = (parts: ChangedParts): void => subscribers.get('solana_transactions')!(parts);
  return {
    notifier,
    callers,
    refused,
    lines,
    newest,
    subscribers,
    reads,
    watched,
    notify,
    ended: () => ended,
    setBackfilled(backfilled: boolean) {
      isBackfilled = backfilled;
      subscribers.get('solana_histories')!(null);
    },
    setThrough: (tokenAccount: string) => void (through = tokenAccount),
    setAvailable: (available: boolean) => void (isAvailable = available),
    change(address: string, slot: number) {
      newest.set(keyOf(address), slot);
      notify(new Set([keyOf(address)]));
    },
  };
}

const slotOf = (message: AccountMessage): number => message.parse().data.result.context.slot;

test('thousands of watchers share the subscriptions, the watch, and the read of a change', async () => {
  const { notifier, change, reads, watched, subscribers, ended } = fixture();
  const received: number[] = [];
  const watches = Array.from({ length: 2_000 }, (_, n) =>
    notifier.watch(alice, CALLER, message => void (received[n] = slotOf(message))),
  );
  await Promise.all(watches.map(({ ready }) => ready));
  expect(subscribers.size).toBe(3);
  expect(watched).toEqual([...new Set(watched)]);
  const before = reads.length;
  change(ALICE, 7);
  await until(() => received.length === 2_000 && received.every(slot => slot === 7));
  const accounts = watched.length;
  expect(reads.length - before).toBe(accounts);

  watches.slice(1).forEach(({ stop }) => stop());
  expect(ended()).toBe(0);
  change(ALICE, 8);
  await until(() => received[0] === 8);
  expect(received[1]).toBe(7);
  watches[0]!.stop();
  watches[0]!.stop();
  expect(ended()).toBe(3);
});

test('only the accounts that a change names are read; all of them when it names none', async () => {
  const { notifier, newest, change, notify, reads } = fixture();
  const received: string[] = [];
  for (const subject of [alice, bob])
    await notifier.watch(subject, CALLER, message => {
      received.push(`${subject.address} ${slotOf(message)}`);
    }).ready;
  reads.length = 0;
  change(BOB, 5);
  await until(() => received.length > 0);
  expect(reads.filter(account => account === keyOf(ALICE))).toEqual([]);
  newest.set(keyOf(ALICE), 6);
  notify(null);
  await until(() => received.length > 1);
  expect(received).toEqual([`${BOB} 5`, `${ALICE} 6`]);
});

test('watchers are not notified without a change of the account', async () => {
  const { notifier, change, notify, reads } = fixture();
  const received: number[] = [];
  await notifier.watch(alice, CALLER, message => void received.push(slotOf(message))).ready;
  reads.length = 0;
  // Such as of a transaction that became final.
  notify(new Set([keyOf(ALICE)]));
  await until(() => reads.length > 0);
  change(ALICE, 9);
  await until(() => received.length > 0);
  expect(received).toEqual([9]);
});

test('watchers are notified of a change while documents cannot be read when they can', async () => {
  const { notifier, change, setAvailable } = fixture();
  const received: number[] = [];
  setAvailable(false);
  await notifier.watch(alice, CALLER, message => void received.push(slotOf(message))).ready;
  change(ALICE, 9);
  setAvailable(true);
  await until(() => received.includes(9));
});

test.each([
  ['an engine that does not answer', new EngineUnavailable('event store', 'no server'), false],
  ['a fault', new Error('a bug'), true],
])('an account that is not watched because of %s is logged: %s', async (_what, error, isLogged) => {
  const { notifier, refused, lines } = fixture();
  refused.set(CALLER.ip, error);
  await notifier.watch(alice, CALLER, () => undefined).ready;
  expect(lines.length > 0).toBe(isLogged);
});

test('watchers are notified of a change when the backfill has ended: until then a read may be refused', async () => {
  const { notifier, change, setBackfilled, reads } = fixture();
  const received: number[] = [];
  const { ready } = notifier.watch(alice, CALLER, message => void received.push(slotOf(message)));
  await ready;
  setBackfilled(false);
  reads.length = 0;
  change(ALICE, 9);
  await until(() => reads.length > 0);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(received).toEqual([]);
  setBackfilled(true);
  await until(() => received.length > 0);
  expect(received).toEqual([9]);
});

test('watchers are notified of a transaction of the account and its token account when each history includes it', async () => {
  const { notifier, change } = fixture();
  const [tokenAccount] = tokenAccountsOf(owner);
  const received: number[] = [];
  await notifier.watch(owner, CALLER, message => void received.push(slotOf(message))).ready;
  change(owner.address, 7);
  await until(() => received.length > 0);
  // Without this message, who reads the history of the token account alone would not see the transaction.
  change(tokenAccount!, 7);
  await until(() => received.length > 1);
  expect(received).toEqual([7, 7]);
});

test('watchers are notified of tokens that arrive when the history of the token account includes it', async () => {
  const { notifier, change, setThrough, reads } = fixture();
  const [tokenAccount] = tokenAccountsOf(owner);
  setThrough(tokenAccount!);
  const received: number[] = [];
  await notifier.watch(owner, CALLER, message => void received.push(slotOf(message))).ready;
  reads.length = 0;
  change(owner.address, 7);
  await until(() => reads.length > 0);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(received).toEqual([]);
  change(tokenAccount!, 7);
  await until(() => received.length > 0);
  expect(received).toEqual([7]);
});

test('accounts, and their token accounts, are watched for the caller, who has a share of what may be watched', async () => {
  const { notifier, watched, callers } = fixture();
  const { ready, stop } = notifier.watch(owner, CALLER, () => undefined);
  await ready;
  expect(watched).toHaveLength(1 + tokenAccountsOf(owner).length);
  expect(new Set(callers)).toEqual(new Set([CALLER.ip]));
  stop();
});

test('a stranger who may have nothing watched mutes nobody who watches the same account', async () => {
  const { notifier, refused, watched, callers } = fixture();
  const stranger = { ip: '203.0.113.9' };
  refused.set(stranger.ip, new Problem('rate_limited', 'Too many first reads.'));
  await notifier.watch(owner, stranger, () => undefined).ready;
  const before = watched.length;
  const victim = notifier.watch(owner, CALLER, () => undefined);
  await victim.ready;
  await until(() => watched.length === 2 * before);
  expect(callers.slice(before)).toEqual(Array(before).fill(CALLER.ip));
  await until(() => victim.current() !== null);
});
