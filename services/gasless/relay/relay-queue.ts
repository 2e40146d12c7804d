import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { gaslessSendStream, type GaslessSendRef } from '../../../contracts/events/gasless-send';
import { createBackoff } from '../../../contracts/retry/backoff';

/** What waits in this process to be sent on by one relay wallet. */
export interface RelayQueue {
  /**
   * Resolves when nothing more is to be done for the request.
   * @throws when the signal fires
   */
  sendOn(ref: GaslessSendRef, signal: AbortSignal): Promise<void>;
}

export interface RelayQueueOptions {
  /** Takes what waits as far as it goes now. @returns those for which nothing more is to be done */
  run(waiting: readonly GaslessSendRef[]): Promise<readonly GaslessSendRef[]>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds between two looks at the chain; default 400, as often as it has a block. */
  readonly pollMs?: number;
}

/** Keeps no program from ending whose jobs have left. */
const pause = (milliseconds: number): Promise<void> => setTimeout(milliseconds, undefined, { ref: false });

interface Waiting {
  readonly ref: GaslessSendRef;
  readonly callers: Set<() => void>;
}

const POLL_MS = 400;
const MAX_BACKOFF_MS = 10_000;

/** One loop for all that wait, so that one message of the relay wallet sends many of them on; it ends when none does. */
export function createRelayQueue({ run, logger, pollMs = POLL_MS }: RelayQueueOptions): RelayQueue {
  const waiting = new Map<string, Waiting>();
  let isRunning = false;

  function end(ref: GaslessSendRef): void {
    const key = gaslessSendStream(ref);
    for (const resolve of waiting.get(key)?.callers ?? []) resolve();
    waiting.delete(key);
  }

  async function work(): Promise<void> {
    const backoff = createBackoff(pollMs, MAX_BACKOFF_MS);
    while (waiting.size > 0)
      try {
        const ended = await run([...waiting.values()].map(({ ref }) => ref));
        backoff.reset();
        for (const ref of ended) end(ref);
        if (ended.length === 0) await pause(pollMs);
      } catch (err) {
        logger.warn({ err }, 'gasless transfers not sent on, retrying');
        await pause(backoff.next());
      }
    // In the same turn as the last look: what comes in between would wait for a loop that is over.
    isRunning = false;
  }

  function start(): void {
    if (isRunning) return;
    isRunning = true;
    void work();
  }

  return {
    sendOn(ref, signal) {
      const key = gaslessSendStream(ref);
      const entry = waiting.get(key) ?? { ref, callers: new Set() };
      waiting.set(key, entry);
      start();
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          entry.callers.delete(done);
          if (entry.callers.size === 0 && waiting.get(key) === entry) waiting.delete(key);
          reject(signal.reason as Error);
        };
        const done = (): void => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        entry.callers.add(done);
        signal.addEventListener('abort', leave, { once: true });
        if (signal.aborted) leave();
      });
    },
  };
}
