import { pino } from 'pino';
import {
  decodeTonDeadLetter,
  decodeTonMessage,
  TON_DEAD_LETTERS,
  TON_TRANSACTIONS,
  type TonDeadLetter,
  type TonLogMessage,
  type TonTraceMessage,
  type TonTransactionMessage,
} from '../../contracts/chain/ton';
import { BackfillJob } from '../../indexers/backfill-jobs';
import { findWatch } from '../../indexers/watches';
import type { Indexer } from '../../indexers/indexer';
import { backfill } from '../../indexers/ton/backfill/backfill';
import type { TracingDeps } from '../../indexers/ton/backfill/traces';
import { tonBackfillReaction } from '../../indexers/ton/backfill/worker';
import {
  createTonIndexer,
  TON_INDEXER_STATE,
  TON_TOPICS,
  type TonIndexerDeps,
} from '../../indexers/ton/indexer';
import type { TonSource } from '../../indexers/ton/source';
import { loadOpenTraces } from '../../indexers/ton/traces/documents';
import { loadStart } from '../../indexers/ton/watched-accounts';
import { InMemoryEventStore } from '../doubles/event-store';
import { FailingDocuments, FailingLog } from '../doubles/failing';
import { recordExpired, recordWatched } from '../doubles/watched-accounts';
import type { ScriptedChain } from './scripted-chain';
import { until } from '../until';

/** An indexer of a scripted chain that can be stopped, or killed at any call, and started again on what it stored. */
export class Indexing {
  readonly documents = new FailingDocuments();
  readonly log = new FailingLog();
  readonly store = new InMemoryEventStore();
  counts = { published: 0, dead: 0 };
  source: TonSource;
  indexer!: Indexer;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(
    readonly chain: ScriptedChain,
    readonly options: Partial<TonIndexerDeps & TracingDeps> = {},
  ) {
    this.source = chain.source();
  }

  get metrics() {
    return {
      published: (n: number) => void (this.counts.published += n),
      deadLettered: (n: number) => void (this.counts.dead += n),
    };
  }

  get deps() {
    return {
      network: 'mainnet' as const,
      source: this.source,
      verify: async () => ({ jettonWallets: {}, contracts: {} }),
      log: this.log,
      documents: this.documents,
      store: this.store,
      logger: pino({ level: 'silent' }),
      metrics: this.metrics,
      scope: 'watched' as const,
      pollMs: 2,
      retryMs: 1,
      maxRetryMs: 1,
      ...this.options,
    };
  }

  start(): Promise<void> {
    this.#stop = new AbortController();
    this.indexer = createTonIndexer(this.deps);
    this.#running = this.indexer.run(this.#stop.signal);
    this.#running.catch(() => undefined);
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running.catch(() => undefined);
  }

  watch(address: string, watch = 1, source: string | null = null): Promise<void> {
    return recordWatched(this.store, { chain: 'ton', network: 'mainnet', address }, watch, source);
  }

  expire(address: string, watch = 1): Promise<void> {
    return recordExpired(this.store, { chain: 'ton', network: 'mainnet', address }, watch);
  }

  /** Runs the backfills of the watched accounts, as a worker would. */
  async backfill(
    events = this.store.stored.all,
    signal = new AbortController().signal,
    maxPages = 2,
  ): Promise<void> {
    await this.log.declare(TON_TOPICS);
    await this.documents.declare(TON_INDEXER_STATE.collections);
    for (const { data } of events.flatMap(event => tonBackfillReaction.jobs(event))) {
      const { address, watch } = BackfillJob.parse(data);
      const deps = { ...this.deps, maxPages, waitMs: 10 };
      const isCurrent = async (): Promise<boolean> =>
        (await findWatch(this.store, { chain: 'ton', network: 'mainnet', address }))?.watch === watch;
      while ((await isCurrent()) && !(await backfill(deps, { address, watch }, signal)));
    }
  }

  until(condition: () => boolean | Promise<boolean>): Promise<unknown> {
    return until(condition);
  }

  untilAt(seqno: number): Promise<unknown> {
    return until(() => this.indexer.status().indexedHeight === seqno);
  }

  untilFollowed(account: string): Promise<unknown> {
    return until(() => loadStart(this.documents, 'mainnet', account));
  }

  get transactions(): TonTransactionMessage[] {
    return this.messages.filter(message => message.type === 'transaction');
  }

  get backfilled(): string[] {
    return this.messages
      .filter(message => message.type === 'backfilled' && message.downTo === '0')
      .map(message => message.account);
  }

  get messages(): TonLogMessage[] {
    return this.log.stored.messages(TON_TRANSACTIONS.name).map(({ value }) => decodeTonMessage(value));
  }

  get traces(): TonTraceMessage[] {
    return this.messages.filter(message => message.type === 'trace');
  }

  /** The traces that the tail would continue when it starts again. */
  openTraces() {
    return loadOpenTraces(this.documents, 'mainnet');
  }

  get deadLetters(): TonDeadLetter[] {
    return this.log.stored.messages(TON_DEAD_LETTERS.name).map(message => decodeTonDeadLetter(message.value));
  }

  /** The logical times of an account in the order of the log. */
  published(account: string): string[] {
    return this.transactions.filter(message => message.account === account).map(({ lt }) => lt);
  }
}
