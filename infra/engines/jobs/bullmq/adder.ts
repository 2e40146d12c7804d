import { setImmediate as turn } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import type { NewJob } from '../../../../contracts/ports/jobs';
import { addJobs } from './add';
import type { Stored } from './stored-job';

export interface Adder {
  /** True when it was added, false when its id was taken. */
  add(job: Required<NewJob>): Promise<boolean>;
  /** Resolves when all that is under way was answered. */
  idle(): Promise<void>;
}

interface Waiting {
  readonly job: Required<NewJob>;
  resolve(added: boolean): void;
  reject(error: unknown): void;
}

/** Answered together: while Redis does these and waits for its disk, the next ones are made ready. */
const MOST = 16;

/** What is asked for in one turn of the event loop shares what there is to ask besides. */
export function createAdder(queue: Queue<Stored>): Adder {
  let waiting: Waiting[] = [];
  const sending = new Set<Promise<void>>();

  const send = async (some: readonly Waiting[]): Promise<void> => {
    try {
      const outcomes = await addJobs(
        queue,
        some.map(({ job }) => job),
      );
      for (const [i, outcome] of outcomes.entries())
        if ('added' in outcome) some[i]!.resolve(outcome.added);
        else some[i]!.reject(outcome.error);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  };
  const sendAll = (): void => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += MOST) {
      const sent = send(all.slice(from, from + MOST)).finally(() => sending.delete(sent));
      sending.add(sent);
    }
  };

  return {
    add: job =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(sendAll);
        waiting.push({ job, resolve, reject });
      }),
    idle: async () => {
      do {
        await turn();
        await Promise.all(sending);
      } while (waiting.length > 0);
    },
  };
}
