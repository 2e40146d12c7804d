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
import { readRecord, recordMessage, type ReadRecordDeps } from './read-record';

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
  const { kind } = observation;
  return {
    async readBatch(subjects, { maxConcurrent, pauseMs, maxFailures, signal }: BatchReadOptions) {
      const left = [...subjects];
      const read: { readonly subject: Subject; readonly record: ObservationRecord }[] = [];
      const unread: Subject[] = [];
      const readOneByOne = async (): Promise<void> => {
        while (left.length > 0 && unread.length < maxFailures && !signal.aborted) {
          const subject = left.shift()!;
          try {
            const record = await readRecord(deps, observation as Observation, subject, { signal });
            read.push({ subject, record });
          } catch (error) {
            unread.push(subject);
            if (!signal.aborted) logger.warn({ kind, subject, err: error }, 'observation failed');
          }
          if (left.length > 0) await sleep(pauseMs, signal);
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
