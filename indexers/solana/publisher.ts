import { SOLANA_DEAD_LETTERS, SOLANA_TRANSACTIONS, type Finality } from '../../contracts/chain/solana';
import type { SolanaNetwork } from '../../contracts/network/network';
import type { Documents } from '../../contracts/ports/documents';
import type { Log, NewMessage } from '../../contracts/ports/log';
import { Gap } from '../gap';
import type { IndexerMetrics } from '../indexer';
import type { Scope } from './affected-accounts';
import {
  indexedBlock,
  storeCursor,
  UNKNOWN_STATUS,
  type Cursor,
  type TailStatus,
  type UnfinalizedBlock,
} from './cursor';
import type { LazyBlock } from './raw';
import { blockRecords, outcomeRecords, type BlockRecords } from './records';

/** Publishes first, then moves the cursor: every step can be interrupted and repeated. */
export interface Publisher {
  readonly cursor: Cursor;
  /** The highest slot that was searched for the accounts of the scope; one watched later needs a backfill up to it. */
  readonly scannedSlot: number;
  /** Publishes a block whose parent is the last indexed one. */
  append(block: LazyBlock, finality: Finality): Promise<void>;
  /** The blocks up to the slot, inclusive, are final. */
  finalize(slot: number): Promise<void>;
  /** Retracts the last indexed block, which was abandoned. @throws Gap when it was final. */
  retractLast(): Promise<void>;
  /** Stored with the next step, or at once when it is the first status or a gap opens or closes. */
  reportStatus(status: TailStatus): Promise<void>;
}

const MAX_BATCH = 500;

function* batchesOf(records: Iterable<NewMessage>): Generator<NewMessage[]> {
  let batch: NewMessage[] = [];
  for (const record of records)
    if (batch.push(record) === MAX_BATCH) {
      yield batch;
      batch = [];
    }
  if (batch.length > 0) yield batch;
}

export function createPublisher(deps: {
  readonly network: SolanaNetwork;
  readonly scope: Scope;
  readonly log: Log;
  readonly documents: Documents;
  readonly metrics: IndexerMetrics;
  readonly cursor: Cursor;
}): Publisher {
  const { network, scope, log, documents, metrics } = deps;
  let cursor = deps.cursor;
  let scannedSlot = indexedBlock(cursor).slot;
  let status = UNKNOWN_STATUS;

  const store = async (next: Cursor): Promise<void> => {
    cursor = await storeCursor(documents, network, cursor, next, status);
  };
  const publishTo = async (topic: string, records: Iterable<NewMessage>): Promise<number> => {
    let published = 0;
    for (const batch of batchesOf(records)) {
      await log.publish(topic, batch);
      published += batch.length;
    }
    return published;
  };
  const publish = async (records: Iterable<NewMessage>): Promise<void> =>
    metrics.published(await publishTo(SOLANA_TRANSACTIONS.name, records));
  const publishBlock = async ({ records, deadLetters }: BlockRecords): Promise<void> => {
    await publish(records);
    await publishTo(SOLANA_DEAD_LETTERS.name, deadLetters);
    if (deadLetters.length > 0) metrics.deadLettered(deadLetters.length, 'undecodable');
  };
  const retract = (block: UnfinalizedBlock): NewMessage[] =>
    outcomeRecords('rolled-back', network, block, block.published);

  /**
   * Stores the same cursor, which fails when another process has moved it. Publishing a transaction twice is harmless, but
   * a retraction by a superseded process is not: it may have followed another fork than its successor.
   */
  const assertCurrent = (): Promise<void> => store(cursor);

  /** Retracts the possibly published blocks that the next block of the chain proves orphaned. */
  async function retractOrphans(next: LazyBlock): Promise<void> {
    const orphaned = cursor.possiblyPublished.filter(
      ({ slot, blockhash }) => slot < next.slot || (slot === next.slot && blockhash !== next.blockhash),
    );
    if (orphaned.length === 0) return;
    await assertCurrent();
    await publish(orphaned.flatMap(retract));
    const possiblyPublished = cursor.possiblyPublished.filter(block => !orphaned.includes(block));
    await store({ ...cursor, possiblyPublished });
  }

  async function finalize(slot: number): Promise<void> {
    const final = cursor.unfinalized.filter(block => block.slot <= slot);
    const last = final.at(-1);
    if (!last) return;
    await publish(final.flatMap(block => outcomeRecords('finalized', network, block, block.published)));
    const finalized = { slot: last.slot, blockhash: last.blockhash };
    await store({ ...cursor, finalized, unfinalized: cursor.unfinalized.slice(final.length) });
  }

  return {
    get cursor() {
      return cursor;
    },
    get scannedSlot() {
      return scannedSlot;
    },
    finalize,
    async append(block, finality) {
      const { slot, blockhash } = block;
      scannedSlot = Math.max(scannedSlot, slot);
      await retractOrphans(block);
      const records = blockRecords(network, block, finality, scope);
      const others = () => cursor.possiblyPublished.filter(other => other.blockhash !== blockhash);
      if (finality === 'finalized') {
        await finalize(slot); // its ancestors are final too
        await publishBlock(records);
        await store({ ...cursor, finalized: { slot, blockhash }, possiblyPublished: others() });
        return;
      }
      const appended = { slot, blockhash, published: records.published };
      // Stored before it is published: the block may be abandoned while the process is down.
      if (records.published.length > 0)
        await store({ ...cursor, possiblyPublished: [...others(), appended] });
      await publishBlock(records);
      const unfinalized = [...cursor.unfinalized, appended];
      await store({ ...cursor, unfinalized, possiblyPublished: others() });
    },
    async retractLast() {
      const { unfinalized, finalized } = cursor;
      const last = unfinalized.at(-1);
      if (!last)
        throw new Gap(
          finalized.slot,
          `final block ${finalized.blockhash} is not an ancestor of the next block`,
        );
      await assertCurrent();
      await publish(retract(last));
      await store({ ...cursor, unfinalized: unfinalized.slice(0, -1) });
    },
    async reportStatus(reported) {
      const { tip, gap } = status;
      status = reported;
      const isSameGap = gap?.height === reported.gap?.height && gap?.reason === reported.gap?.reason;
      if (tip === null || !isSameGap) await store(cursor);
    },
  };
}
