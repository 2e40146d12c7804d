import { setTimeout as sleep } from 'node:timers/promises';
import type { Jobs, NewJob } from '../../contracts/ports/jobs';
import { persevere } from '../persevere';

const DAY = 86_400_000;
/** A queue nobody works on: as long as its job waits, the jobs remember what they were given. */
const QUEUE = 'memory';

export interface Recall {
  /** Names the mark that is left; it stays the same. */
  readonly name: string;
  readonly jobs: Jobs;
  /** All jobs that may be under way, from events and documents; one that is done must end at once when it runs again. */
  all(): AsyncIterable<NewJob>;
  /** Milliseconds between two looks; default a minute. */
  readonly every?: number;
  onError(error: unknown): void;
  /** Told when jobs had to be asked for again. */
  onRecalled?(count: number): void;
}

/**
 * Asks for jobs again when the engine of the jobs has forgotten all it had, as one that lives in memory may, or is a new
 * one: until the signal. A loss of only the last moments is not seen.
 */
export function recallJobs(
  { name, jobs, all, every = 60_000, onError, onRecalled }: Recall,
  signal: AbortSignal,
): Promise<void> {
  return persevere(
    signal,
    async onProgress => {
      for (; !signal.aborted; await sleep(every, undefined, { signal })) {
        if ((await jobs.counts(`${QUEUE}-${name}`)).waiting === 0) {
          let count = 0;
          for await (const job of all()) {
            signal.throwIfAborted();
            if (await jobs.add(job)) count++;
          }
          // The mark comes last: cut off before it, all are asked for once more.
          await jobs.add({ queue: `${QUEUE}-${name}`, id: name, data: {}, delay: 3_650 * DAY });
          onRecalled?.(count);
        }
        onProgress();
      }
    },
    onError,
  );
}
