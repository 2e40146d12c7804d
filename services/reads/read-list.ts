import { Problem } from '../../contracts/problem/problem';
import type { AnyCall } from '../http/call';
import { addressKey } from '../../contracts/http/address-key';
import { readUntil, type ReadUntilOptions, type WaitLimit } from './read-until';

export interface ListWait {
  /** Milliseconds that a call waits for what its lists lack, in all; default 12,000: wallets wait for 15 seconds. */
  readonly listWaitMs?: number;
  /** Default: any number of reads may wait. */
  readonly waitLimit?: WaitLimit;
}

/** A list that is made of what is read from a chain, or a page of it. */
export interface ListPart<T> extends Pick<ReadUntilOptions<T>, 'read' | 'waitForChange' | 'request'> {
  /** Whether all that was asked for is there: else nothing is served. */
  readonly isWhole: (value: T) => boolean;
  /** Whether what is there is final as well, which is worth a wait. Default: it is. */
  readonly isSettled?: (value: T) => boolean;
  /** Milliseconds of that wait; default: as long as for the whole. */
  readonly settleMs?: number;
}

/**
 * Reads parts of lists for one call. Clients take a page that is shorter than asked for the end of the list, so there is no
 * page while anything is missing.
 * @throws Problem 503 `not_ready` when something is missing after the wait of the call, or when too many calls wait
 */
export type ReadList = <T>(what: string, part: ListPart<T>) => Promise<T>;

const DEFAULT_WAIT_MS = 12_000;
const RETRY_AFTER_SECONDS = 2;

/** @param call whose end ends the waits; its signal is made when the first one begins. Its address has a share of the waits */
export function listReader(
  { listWaitMs = DEFAULT_WAIT_MS, waitLimit }: ListWait,
  call: Pick<AnyCall, 'signal'> & Partial<Pick<AnyCall, 'ip'>>,
): ReadList {
  const deadline = Date.now() + listWaitMs;
  return async (what, part) => {
    const { isWhole, isSettled = () => true, settleMs = listWaitMs, ...reading } = part;
    const wait = (isDone: typeof isWhole, limitMs: number) =>
      readUntil({
        ...reading,
        isDone,
        waitMs: Math.min(deadline - Date.now(), limitMs),
        waitLimit,
        caller: call.ip === undefined ? undefined : addressKey(call.ip),
        get signal() {
          return call.signal;
        },
      });
    let value = await wait(each => isWhole(each) && isSettled(each), settleMs);
    if (!isWhole(value)) value = await wait(isWhole, listWaitMs);
    if (!isWhole(value)) throw notReady(what);
    return value;
  };
}

/** @param what such as `The history of the account` */
function notReady(what: string): Problem {
  return Problem.unavailable(`${what} has not been read yet; try again.`, RETRY_AFTER_SECONDS);
}
