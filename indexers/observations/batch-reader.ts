import type { Logger } from 'pino';
import {
  isNewer,
  OBSERVATIONS_TOPIC,
  type Observation,
  type ObservationRecord,
} from '../../contracts/observation/observation';
import type { BatchReader, BatchReadOptions, Observed } from '../../contracts/observation/reader';
import type { Log } from '../../contracts/ports/log';
import { sleep } from '../../contracts/retry/retry';
import { createFailureLog, outageScope } from './failure-log';
import { readRecord, recordMessage, type ReadRecordDeps } from './read-record';
import { sharingBlocks } from './shared-blocks';

export interface BatchReaderDeps extends ReadRecordDeps {
  /** What is stored of subjects, in their order. */
  readonly known: (
    observation: Observation,
    subjects: readonly unknown[],
  ) => Promise<readonly (Observed<unknown> | null)[]>;
  readonly log: Pick<Log, 'publish'>;
  readonly logger: Logger;
}

/**
 * Reads many subjects of an observation that nobody waits for, and publishes them together: each record that is published alone is
 * a commit of the log and of the documents, for which calls wait.
 */
export function createBatchReader<Subject, Data>(
  observation: Observation<Subject, Data>,
  deps: BatchReaderDeps,
): BatchReader<Subject> {
  const { log, logger } = deps;
  const { kind, source } = observation;
  const failures = createFailureLog(logger, 'observation failed');
  return {
    async readBatch(subjects, { maxConcurrent, pauseMs, maxFailures, signal }: BatchReadOptions) {
      const left = [...subjects];
      const read: { readonly subject: Subject; readonly record: ObservationRecord }[] = [];
      const unread: Subject[] = [];
      const reads = { ...deps, clients: sharingBlocks(deps.clients, deps.now) };
      const nextTurn = turns(pauseMs, signal);
      const readOneByOne = async (): Promise<void> => {
        for (;;) {
          await nextTurn();
          if (left.length === 0 || unread.length >= maxFailures || signal.aborted) return;
          const subject = left.shift()!;
          try {
            const began = performance.now();
            const record = await readRecord(reads, observation as Observation, subject, { signal });
            failures.answered(outageScope(source, subject), began);
            read.push({ subject, record });
          } catch (error) {
            unread.push(subject);
            if (!signal.aborted) failures.failed(outageScope(source, subject), { kind, subject }, error);
          }
        }
      };
      await Promise.all(Array.from({ length: maxConcurrent }, readOneByOne));
      // The log keeps the last record of a subject, which somebody else may have published meanwhile as of a later block.
      const known = await deps.known(
        observation as Observation,
        read.map(({ subject }) => subject),
      );
      const newer = read.filter(({ record }, place) => {
        const other = known[place];
        return !other || isNewer(record, other);
      });
      if (newer.length > 0)
        await log.publish(
          OBSERVATIONS_TOPIC.name,
          newer.map(({ record }) => recordMessage(record)),
        );
      return [...unread, ...left];
    },
  };
}

/** Turns that begin that long after one another: what several reads take of the processor at once, a call waits for. */
function turns(pauseMs: number, signal: AbortSignal): () => Promise<void> {
  let next = Promise.resolve();
  return () => {
    const turn = next;
    next = turn.then(() => sleep(pauseMs, signal));
    return turn;
  };
}
