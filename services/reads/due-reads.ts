import type { Logger } from 'pino';
import { asProcess } from '../../contracts/current-caller';
import { createBackoff } from '../../contracts/retry/backoff';

const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

interface DueReadsOptions<T> {
  read(one: T): Promise<void>;
  /** Whether one that could not be read is read again. */
  isWanted(one: T): boolean;
  readonly maxConcurrent: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Logged with the error of a read. */
  readonly message: string;
}

/** What is to be read again, each once however often it was added meanwhile. */
export interface DueReads<T> {
  add(one: T): void;
  delete(one: T): void;
  /** Reads, unless it does already, a few at a time until nothing is due; what could not be read, again later. */
  start(): void;
}

export function createDueReads<T>(options: DueReadsOptions<T>): DueReads<T> {
  const { read, isWanted, maxConcurrent, logger, message } = options;
  const due = new Set<T>();
  let isReading = false;

  const take = (): T[] => {
    const taken: T[] = [];
    for (const one of due) if (taken.push(one) === maxConcurrent) break;
    for (const one of taken) due.delete(one);
    return taken;
  };

  const readAll = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    const backoff = createBackoff(MIN_RETRY_MS, MAX_RETRY_MS);
    while (due.size > 0) {
      const taken = take();
      const results = await Promise.allSettled(taken.map(read));
      const failed = taken.filter((one, i) => results[i]!.status === 'rejected' && isWanted(one));
      for (const one of failed) due.add(one);
      const failure = results.find(result => result.status === 'rejected');
      if (failure) {
        logger.warn({ err: failure.reason as unknown }, message);
        await new Promise(resolve => setTimeout(resolve, backoff.next()).unref());
      } else backoff.reset();
    }
    isReading = false;
  };

  return {
    add: one => void due.add(one),
    delete: one => void due.delete(one),
    start: () => void asProcess(readAll),
  };
}
