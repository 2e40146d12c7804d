import { setImmediate as nextTurn } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import fc from 'fast-check';
import pino from 'pino';
import { accountKey } from '../../contracts/network';
import type { Document } from '../../contracts/ports/documents';
import type { ChangedParts } from '../../contracts/ports/wake-ups';
import { solanaAccountObservation } from '../../indexers/solana/observations/account';
import type { Views } from '../../projections/views';
import { runs } from '../../test/random';
import { createObservedReader } from '../observations/reader';
import { createAccountNotifier } from './account-stream-notifier';
import { tokenAccountsOf } from './account-stream-state';

const owner = { network: 'mainnet', address: Keypair.generate().publicKey.toBase58() } as const;
const [tokenAccount] = tokenAccountsOf(owner) as [string];
const keyOf = (address: string): string => accountKey({ chain: 'solana', network: 'mainnet', address });
const OWNER = keyOf(owner.address);
const TOKEN_ACCOUNT = keyOf(tokenAccount);
type Account = typeof OWNER | typeof TOKEN_ACCOUNT;

/** Whom a transaction names. One that names the token account affects its owner too, named or not. */
type Named = 'owner' | 'token account, which receives' | 'token account' | 'both';
interface Transaction {
  readonly slot: number;
  readonly named: Named;
}
/** A transaction joins a history, or is taken back by a fork. */
interface StoredChange {
  readonly transaction: Transaction;
  readonly isOrphaned: boolean;
}

/** Doubles: the documents of two histories, which are stored apart from each other, and read in a random number of turns. */
function storedHistories(turns: Iterator<number>) {
  const histories = new Map<Account, readonly Transaction[]>([OWNER, TOKEN_ACCOUNT].map(key => [key, []]));
  const isMentioned = (account: Account, { named }: Transaction): boolean =>
    account === TOKEN_ACCOUNT || named === 'owner' || named === 'both';
  const toDocument = (account: Account, transaction: Transaction): Document => {
    const { slot, named } = transaction;
    const transfer = { fromTokenAccount: '', toTokenAccount: tokenAccount };
    const tokenTransfers = named === 'token account, which receives' ? [transfer] : [];
    const mentioned = isMentioned(account, transaction);
    const item = JSON.stringify({ tokenTransfers });
    const text = { signature: `s${slot}`, blockhash: `b${slot}`, balance: '5', finality: 'confirmed', item };
    return { _id: `${account}/s${slot}`, slot, mentioned, ...text };
  };
  const documentsOf = (account: Account): Document[] =>
    histories.get(account)!.map(transaction => toDocument(account, transaction));
  const takeTurns = async (): Promise<void> => {
    for (let turn = turns.next().value as number; turn > 0; turn--) await nextTurn();
  };
  let onChange: (parts: ChangedParts) => void = () => undefined;
  const views = {
    async get(collection: string, id: string) {
      const found = {
        observed_solana_account: { height: 1_000, at: '', data: { balance: '5', owner: '', space: 0 } },
        solana_histories: { watch: 1, slot: 1, since: -1, parts: 1, complete: true },
      }[collection];
      if (found) return found;
      const document = documentsOf(id.split('/')[0]!).find(({ _id }) => _id === id) ?? null;
      await takeTurns();
      return document;
    },
    async find(_: string, { filter, limit }: { filter: { account: Account }; limit: number }) {
      const documents = documentsOf(filter.account).reverse().slice(0, limit);
      await takeTurns();
      return { documents, next: null };
    },
    subscribe(collection: string, listener: typeof onChange) {
      if (collection === 'solana_transactions') onChange = listener;
      return () => undefined;
    },
  } as unknown as Views;
  return {
    views,
    store(account: Account, { transaction, isOrphaned }: StoredChange) {
      const before = histories.get(account)!;
      histories.set(
        account,
        isOrphaned ? before.filter(one => one !== transaction) : [...before, transaction],
      );
      onChange(new Set([account]));
    },
    /** What clients that read each history now are answered. */
    pages: () =>
      [...histories].map(([account, all]) =>
        all.filter(one => isMentioned(account, one)).map(one => one.slot),
      ),
  };
}

test('in whatever order and how late two histories are stored, a message follows the last change of each', async () => {
  const chainStep = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom<Named>('owner', 'token account, which receives', 'token account', 'both'),
    },
    { weight: 1, arbitrary: fc.constant('fork' as const) },
  );
  const storedNext = fc.constantFrom<Account | 'wait'>(OWNER, TOKEN_ACCOUNT, 'wait');
  const logger = pino({ level: 'silent' });
  await fc.assert(
    fc.asyncProperty(
      fc.array(chainStep, { minLength: 1, maxLength: 8 }),
      fc.array(storedNext, { maxLength: 30 }),
      fc.infiniteStream(fc.nat(3)),
      async (steps, order, turns) => {
        const { views, store, pages } = storedHistories(turns);
        const queues = new Map<Account, StoredChange[]>([OWNER, TOKEN_ACCOUNT].map(key => [key, []]));
        const chain: Transaction[] = [];
        for (const [slot, step] of steps.entries()) {
          const transaction = step === 'fork' ? chain.pop() : { slot, named: step };
          if (!transaction) continue;
          const isOrphaned = step === 'fork';
          if (!isOrphaned) chain.push(transaction);
          queues.get(OWNER)!.push({ transaction, isOrphaned });
          if (transaction.named !== 'owner') queues.get(TOKEN_ACCOUNT)!.push({ transaction, isOrphaned });
        }
        const jobs = { add: async () => true };
        const notifier = createAccountNotifier({
          views,
          accounts: createObservedReader(solanaAccountObservation, { views, jobs, logger, now: Date.now }),
          watch: async () => 1,
          logger,
        });
        let known: number[][];
        const { ready, stop } = notifier.watch(owner, () => void (known = pages()));
        await ready;
        known = pages();
        /** Longer than what is read after a change. */
        const settle = async (): Promise<void> => {
          for (let turn = 0; turn < 60; turn++) await nextTurn();
        };
        const rest = [...queues].flatMap(([account, queue]) => queue.map(() => account));
        for (const next of [...order, ...rest]) {
          const change = next === 'wait' ? undefined : queues.get(next)!.shift();
          // A fork takes longer than a read: what it orphans was read before.
          if (next === 'wait' || change?.isOrphaned) await settle();
          if (next !== 'wait' && change) store(next, change);
        }
        await settle();
        expect(known).toEqual(pages());
        stop();
      },
    ),
    runs(300),
  );
});
