import { setImmediate as nextTurn } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import fc from 'fast-check';
import pino from 'pino';
import { encodeSolanaMessage, SOLANA_TRANSACTIONS, type SolanaMessage } from '../../contracts/chain/solana';
import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { accountKey } from '../../contracts/network/network';
import type { Document } from '../../contracts/ports/documents';
import type { LogMessage } from '../../contracts/ports/log';
import type { ChangedParts } from '../../contracts/ports/wake-ups';
import { solanaAccountObservation } from '../../indexers/solana/observations/account';
import { solanaTransactionsProjection } from '../../projections/solana/transactions/projection';
import type { Views } from '../../projections/views';
import { runs } from '../../test/random';
import { createObservedReader } from '../observations/reader';
import { createAccountNotifier } from './account-stream-notifier';
import { tokenAccountsOf } from './account-stream-state';

const CALLER = { ip: '192.0.2.1' };

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
/** A transaction joins a history, or is taken back by a fork: the newest one, or, by a recheck, one before others. */
interface StoredChange {
  readonly transaction: Transaction;
  readonly isOrphaned: boolean;
}

const projection = solanaTransactionsProjection({
  version: 1,
  decode: ({ tokenTransfers }, slot) =>
    ({ slot, tokenTransfers, transactionError: null }) as unknown as EnhancedTransaction,
  mints: () => [],
});
const isMentioned = (account: Account, { named }: Transaction): boolean =>
  account === TOKEN_ACCOUNT || named === 'owner' || named === 'both';

/** A record of the log: the history has begun, or one of its changes. */
function recordOf(key: Account, offset: number, change: StoredChange | null): LogMessage {
  const ofAccount = { network: 'mainnet', account: key === OWNER ? owner.address : tokenAccount } as const;
  const messageOf = ({ transaction, isOrphaned }: StoredChange): SolanaMessage => {
    const { slot, named } = transaction;
    const inclusion = { ...ofAccount, signature: `s${slot}`, slot, blockhash: `b${slot}`, mints: [] };
    if (isOrphaned) return { type: 'rolled-back', ...inclusion };
    const transfer = { fromTokenAccount: '', toTokenAccount: tokenAccount };
    return {
      type: 'transaction',
      ...inclusion,
      index: 0,
      blockTime: 0,
      finality: 'confirmed',
      origin: 'tail',
      balance: '5',
      mentioned: isMentioned(key, transaction),
      raw: { tokenTransfers: named === 'token account, which receives' ? [transfer] : [] },
    };
  };
  const message: SolanaMessage = change
    ? messageOf(change)
    : { type: 'backfilled', ...ofAccount, watch: 1, slot: 0, since: -1, parts: 1, complete: true };
  const value = encodeSolanaMessage(message);
  return { topic: SOLANA_TRANSACTIONS.name, partition: 0, offset, timestamp: 0, headers: {}, key, value };
}

/** A double of the documents of two histories, which are stored apart from each other, and read in a random number of turns. */
function storedHistories(turns: Iterator<number>) {
  const records = new Map<Account, LogMessage[]>([OWNER, TOKEN_ACCOUNT].map(key => [key, []]));
  const documents = new Map<string, Map<string, Document>>();
  let onChange: (parts: ChangedParts) => void = () => undefined;

  const fold = (record: LogMessage): void => {
    for (const key of projection.touches(record)) {
      const collection = documents.get(key.collection) ?? new Map<string, Document>();
      documents.set(key.collection, collection);
      const folded = projection.fold(collection.get(key.id) ?? null, record, key);
      if (folded) collection.set(key.id, folded);
      else collection.delete(key.id);
    }
  };
  const append = (account: Account, change: StoredChange | null): void => {
    const ofAccount = records.get(account)!;
    ofAccount.push(recordOf(account, ofAccount.length, change));
    fold(ofAccount.at(-1)!);
  };
  const newestOf = (account: string): Document[] =>
    [...(documents.get('solana_transactions')?.values() ?? [])]
      .filter(document => document['account'] === account)
      .sort((one, other) => Number(other['chainOrder']) - Number(one['chainOrder']));
  const takeTurns = async (): Promise<void> => {
    for (let turn = turns.next().value as number; turn > 0; turn--) await nextTurn();
  };

  for (const account of [OWNER, TOKEN_ACCOUNT]) append(account, null);
  const views = {
    async get(collection: string, id: string) {
      if (collection === 'observed_solana_account')
        return {
          height: 1_000,
          at: '',
          data: { balance: '5', owner: '', executable: false, rentEpoch: 0, space: 0 },
        };
      const document = documents.get(collection)?.get(id) ?? null;
      await takeTurns();
      return document;
    },
    async find(_: string, { filter, limit }: { filter: { account: Account }; limit: number }) {
      const newest = newestOf(filter.account).slice(0, limit);
      await takeTurns();
      return { documents: newest, next: null };
    },
    subscribe(collection: string, listener: typeof onChange) {
      if (collection === 'solana_transactions') onChange = listener;
      return () => undefined;
    },
  } as unknown as Views;
  return {
    views,
    store(account: Account, change: StoredChange) {
      append(account, change);
      onChange(new Set([account]));
    },
    /** Everything again, as after a crash. */
    storeAgain() {
      for (const [account, all] of records) {
        all.forEach(fold);
        onChange(new Set([account]));
      }
    },
    /** What clients that read each history now are answered. */
    pages: () =>
      [OWNER, TOKEN_ACCOUNT].map(account =>
        newestOf(account).flatMap(({ slot, mentioned }) => (mentioned ? [slot as number] : [])),
      ),
  };
}

test('in whatever order and how late two histories are stored, a message follows the last change of each', async () => {
  const chainStep = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom<Named>('owner', 'token account, which receives', 'token account', 'both'),
    },
    { weight: 2, arbitrary: fc.record({ newerThatRemain: fc.nat(3) }) },
  );
  const storedNext = fc.constantFrom<Account | 'wait'>(OWNER, TOKEN_ACCOUNT, 'wait');
  const logger = pino({ level: 'silent' });
  await fc.assert(
    fc.asyncProperty(
      fc.array(chainStep, { minLength: 1, maxLength: 8 }),
      fc.array(storedNext, { maxLength: 30 }),
      fc.infiniteStream(fc.nat(3)),
      async (steps, order, turns) => {
        const { views, store, storeAgain, pages } = storedHistories(turns);
        const queues = new Map<Account, StoredChange[]>([OWNER, TOKEN_ACCOUNT].map(key => [key, []]));
        const chain: Transaction[] = [];
        for (const [i, step] of steps.entries()) {
          const isOrphaned = typeof step === 'object';
          const transaction = isOrphaned
            ? chain.splice(Math.max(0, chain.length - 1 - step.newerThatRemain), 1)[0]
            : { slot: i + 1, named: step };
          if (!transaction) continue;
          if (!isOrphaned) chain.push(transaction);
          queues.get(OWNER)!.push({ transaction, isOrphaned });
          if (transaction.named !== 'owner') queues.get(TOKEN_ACCOUNT)!.push({ transaction, isOrphaned });
        }
        const changes = [...queues.values()].flat().length;
        const jobs = { add: async () => true };
        const notifier = createAccountNotifier({
          views,
          accounts: createObservedReader(solanaAccountObservation, { views, jobs, logger, now: Date.now }),
          watch: async () => 1,
          logger,
        });
        let known: number[][];
        let messages = 0;
        const { ready, stop } = notifier.watch(owner, CALLER, () => {
          known = pages();
          messages += 1;
        });
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
        expect(messages).toBeLessThanOrEqual(changes);
        messages = 0;
        storeAgain();
        await settle();
        expect(known).toEqual(pages());
        expect(messages).toBe(0);
        stop();
      },
    ),
    runs(150),
  );
});
