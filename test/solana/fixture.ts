import pino from 'pino';
import { SOLANA_TRANSACTIONS, decodeSolanaMessage, type SolanaMessage } from '../../contracts/chain/solana';
import type { Document } from '../../contracts/ports/documents';
import type { Indexer } from '../../indexers/indexer';
import { createSolanaIndexer, type SolanaIndexerDeps } from '../../indexers/solana/indexer';
import { olderHistoryJob, workSolanaBackfills } from '../../indexers/solana/backfill/worker';
import type { BackfillOptions } from '../../indexers/solana/backfill/deps';
import { solanaDecoder } from '../../indexers/solana/decode/decode';
import { solanaTransactionsProjection } from '../../projections/solana/transactions/projection';
import type { LogMessage } from '../../contracts/ports/log';
import { InMemoryEventStore } from '../doubles/event-store';
import { FailingDocuments, FailingLog } from '../doubles/failing';
import { openRecordedJobs } from '../doubles/jobs';
import type { InMemoryLog } from '../doubles/log';
import { recordExpired, recordWatched } from '../doubles/watched-accounts';
import { foldInto } from '../projections/fold-into';
import { createScriptedChain } from './scripted-chain';

export { until } from '../until';

const NO_METRICS = { published: () => undefined, deadLettered: () => undefined };

/**
 * An indexer and a backfill worker of a scripted chain on in-memory ports, which can be stopped and started again, and are
 * closed at the end.
 */
export function createFixture(
  options: Partial<SolanaIndexerDeps> & { readonly backfill?: BackfillOptions } = {},
) {
  const chain = createScriptedChain();
  const log = new FailingLog();
  const documents = new FailingDocuments();
  const store = new InMemoryEventStore();
  const jobs = openRecordedJobs({ maxDelayMs: 1 });
  const readOlder = (address: string, part: number, watch = 1) =>
    jobs.add(olderHistoryJob('mainnet', { address, watch }, part));
  const account = (address: string) => ({ chain: 'solana', network: 'mainnet', address }) as const;
  let running: { stop: () => Promise<void> } | null = null;

  const fixture = {
    chain,
    log,
    documents,
    store,
    jobs,
    watch: (address: string, watch = 1) => recordWatched(store, account(address), watch),
    expire: (address: string, watch = 1) => recordExpired(store, account(address), watch),
    readOlder,
    logger: pino({ level: 'silent' }),
    /** `ended` settles when the indexer has stopped. */
    start(): Indexer & { readonly ended: Promise<void> } {
      const stop = new AbortController();
      const indexer = createSolanaIndexer({
        network: 'mainnet',
        source: chain.source,
        log,
        documents,
        store,
        jobs,
        logger: fixture.logger,
        scope: 'watched',
        startAt: 0,
        pollMs: 1,
        maxRetryMs: 1,
        metrics: NO_METRICS,
        ...options,
      });
      const ended = indexer.run(stop.signal);
      ended.catch(() => undefined);
      const backfills = workSolanaBackfills(
        {
          network: 'mainnet',
          source: chain.source,
          log,
          documents,
          store,
          jobs,
          logger: fixture.logger,
          metrics: options.metrics ?? NO_METRICS,
          pollMs: 1,
          ...options.backfill,
        },
        stop.signal,
      );
      running = {
        async stop() {
          stop.abort();
          await Promise.allSettled([ended, backfills]);
        },
      };
      return { ...indexer, ended };
    },
    async stop(): Promise<void> {
      await running?.stop();
      running = null;
    },
    async close(): Promise<void> {
      await fixture.stop();
      await Promise.all([log.close(), documents.close(), store.close(), jobs.close()]);
    },
    /**
     * What was published, in short: `transaction B@12 finalized`, in the order of the log; without what is stated of a first part
     * before its end.
     */
    published: (account?: string): string[] =>
      messagesOf(log)
        .filter(message => account === undefined || message.account === account)
        .filter(message => message.type !== 'removed')
        .filter(message => message.type !== 'backfilled' || message.parts > 0)
        .map(message =>
          message.type === 'backfilled'
            ? `backfilled ${message.slot}${message.complete ? '' : ` since ${message.since}`}`
            : `${message.type} ${message.signature}@${message.slot}${message.type === 'transaction' ? ` ${message.finality}` : ''}`,
        ),
  };
  return fixture;
}

export function messagesOf(log: InMemoryLog): SolanaMessage[] {
  return log.stored.messages(SOLANA_TRANSACTIONS.name).map(({ value }) => decodeSolanaMessage(value));
}

/** The documents of the projection after some messages, by collection and id. */
export function project(messages: readonly LogMessage[]): Map<string, Document> {
  return foldInto(new Map(), solanaTransactionsProjection(solanaDecoder), messages);
}
