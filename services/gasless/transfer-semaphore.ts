import { shareOf, type Bound } from '../../contracts/bound';
import { createFairSemaphore, TooManyWaiting } from '../../contracts/fair-semaphore';
import { refusal, type GaslessRefusal } from './deps';

/** The virtual machine takes one at a time; the others read from the nodes meanwhile. */
const CONCURRENCY = 16;
/** Each has a request of up to 256 KiB in memory. */
const MAX_WAITING = 200;

/** Of estimates and sends that run or wait. */
export const MAX_TRANSFERS = 2 * (CONCURRENCY + MAX_WAITING);

export const GASLESS_TRANSFERS: Bound = {
  of: 'gasless transfers that a process estimates at a time, and that it checks at a time before it sends them',
  owner: 'all who send',
  max: `${CONCURRENCY} of each, and ${MAX_WAITING} of each that wait`,
  share: 'a quarter; callers take turns, each with its oldest',
  beyond: '`try-later` for the newest of the caller with most',
  attack: {
    file: 'services/gasless/transfer-semaphore.test.ts',
    test: 'somebody with one estimate has a turn before a stranger with hundreds has the next',
  },
};

/** Runs what callers ask for when it is their turn. */
export type TransferSemaphore = <Result>(
  caller: string,
  work: () => Promise<Result>,
) => Promise<Result | GaslessRefusal>;

/** One for estimates and one for sends: neither waits for the other. */
export function createTransferSemaphore(): TransferSemaphore {
  const semaphore = createFairSemaphore({
    maxConcurrent: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    share: shareOf(CONCURRENCY),
  });
  return async (caller, work) => {
    try {
      return await semaphore.run({ caller }, work);
    } catch (error) {
      if (error instanceof TooManyWaiting) return refusal('try-later', error.message);
      throw error;
    }
  };
}
