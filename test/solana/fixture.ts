import pino from 'pino';
import { SOLANA_TRANSACTIONS, decodeSolanaMessage, type SolanaMessage } from '../../contracts/chain/solana';
import type { Document } from '../../contracts/ports/documents';
import { runSolanaIndexer, type SolanaIndexer, type SolanaIndexerDeps } from '../../indexers/solana/indexer';
import { workSolanaBackfills } from '../../indexers/solana/backfill/worker';
import type { BackfillOptions } from '../../indexers/solana/backfill/backfill';
import { solanaDecoder } from '../../indexers/solana/decode/decode';
import { solanaTransactionsProjection } from '../../projections/solana/transactions/projection';
import type { LogMessage } from '../../contracts/ports/log';
import { memoryDocuments, memoryJobs, memoryLog, memoryStore, type MemoryLog } from './memory-ports';
import { createScriptedChain } from './scripted-chain';

export { until } from '../until';

/** An indexer and a back-fill worker of a scripted chain on ports in memory, which can be stopped and started again. */
export function createFixture(
  options: Partial<SolanaIndexerDeps> & { readonly backfill?: BackfillOptions } = {},
) {
  const chain = createScriptedChain();
  const log = memoryLog();
  const documents = memoryDocuments();
  const store = memoryStore();
  const jobs = memoryJobs();
  let running: { indexer: SolanaIndexer; stop: () => Promise<void> } | null = null;

  const fixture = {
    chain,
    log,
    documents,
    store,
    logger: pino({ level: 'silent' }),
    start(): SolanaIndexer {
      const stop = new AbortController();
      const indexer = runSolanaIndexer({
        network: 'mainnet',
        source: chain.source,
        log,
        documents,
        store,
        jobs,
        logger: fixture.logger,
        scope: 'watched',
        start: 0,
        options: { poll: 1 },
        retry: 1,
        ...options,
        signal: stop.signal,
      });
      const backfills = workSolanaBackfills({
        network: 'mainnet',
        source: chain.source,
        log,
        documents,
        jobs,
        logger: fixture.logger,
        hooks: options.hooks ?? {},
        settling: 1,
        ...options.backfill,
        signal: stop.signal,
      });
      running = {
        indexer,
        async stop() {
          stop.abort();
          await Promise.allSettled([indexer.done, backfills]);
        },
      };
      return indexer;
    },
    async stop(): Promise<void> {
      await running?.stop();
      running = null;
    },
    /** What was said, in short: `transaction B@12 finalized`, in the order it was said. */
    said: (account?: string): string[] =>
      messagesOf(log)
        .filter(message => account === undefined || message.account === account)
        .map(message =>
          message.type === 'backfilled'
            ? `backfilled ${message.slot}${message.complete ? '' : ' incomplete'}`
            : `${message.type} ${message.signature}@${message.slot}${message.type === 'transaction' ? ` ${message.finality}` : ''}`,
        ),
  };
  return fixture;
}

export function messagesOf(log: MemoryLog): SolanaMessage[] {
  return log.messages
    .filter(({ topic }) => topic === SOLANA_TRANSACTIONS.name)
    .map(({ value }) => decodeSolanaMessage(value));
}

/** The documents that the projection makes of messages, by collection and id. */
export function project(messages: readonly LogMessage[]): Map<string, Document> {
  const projection = solanaTransactionsProjection(solanaDecoder);
  const documents = new Map<string, Document>();
  for (const message of messages.filter(({ topic }) => projection.topics.includes(topic)))
    for (const key of projection.touches(message)) {
      const id = `${key.collection}/${key.id}`;
      const folded = projection.fold(documents.get(id) ?? null, message, key);
      if (folded) documents.set(id, folded);
      else documents.delete(id);
    }
  return documents;
}
