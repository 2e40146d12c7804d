import { shareOf } from '../../../../contracts/bound';
import { currentCaller } from '../../../../contracts/current-caller';
import { EngineBusy } from '../../../../contracts/engine/engine-unavailable';
import { createFairSemaphore } from '../../../../contracts/fair-semaphore';

/** Of the connections of a client; the others are left to what the process reads by itself. */
const CONNECTIONS_OF_CALLERS = 0.8;
/** Of all callers. */
export const MAX_WAITING_READS = 1_000;

/**
 * Runs a read when it is its caller's turn, within a limit. It needs a connection: its place is free once it has ended, however early
 * the limit gives a result.
 */
export type ReadSemaphore = <Result>(
  read: () => Promise<Result>,
  limit: (read: () => Promise<Result>) => Promise<Result>,
) => Promise<Result>;

/**
 * A client gives its connections away in the order in which they are asked for, so that a caller with many slow reads would have all
 * others wait. Here callers take turns, each with its oldest read, and a quarter is left to those who have less than that.
 * @param maxConnections of the client
 */
export function createReadSemaphore(maxConnections: number): ReadSemaphore {
  const maxConcurrent = Math.max(1, Math.floor(maxConnections * CONNECTIONS_OF_CALLERS));
  const semaphore = createFairSemaphore({
    maxConcurrent,
    maxWaiting: MAX_WAITING_READS,
    share: shareOf(maxConcurrent),
    exceedsShare: true,
  });
  return async (read, limit) => {
    const caller = currentCaller();
    if (caller === null) return limit(read);
    return new Promise((resolve, reject) => {
      const inTurn = async (): Promise<void> => {
        let ended: Promise<unknown> = Promise.resolve();
        await limit(() => {
          const running = read();
          ended = running.catch(() => undefined);
          return running;
        }).then(resolve, reject);
        await ended;
      };
      const refuse = (): void => reject(new EngineBusy('documents', 'too many reads of one caller wait'));
      semaphore.run({ caller }, inTurn).catch(refuse);
    });
  };
}
