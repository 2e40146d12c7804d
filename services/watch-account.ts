import { failureLevel } from '../contracts/engine/engine-unavailable';
import type { Logger } from 'pino';
import type { Clients } from '../contracts/observation/observation';
import type { AccountRef, NetworkRef } from '../contracts/network/network';
import { Problem } from '../contracts/problem/problem';
import type { Views } from '../projections/views';
import { ProjectionBehind, ProjectionIncomplete, ProjectionStopped } from '../projections/unreadable';
import type { AnyCall } from './http/call';

/** The call for which an account is watched. */
export type Reader = Pick<AnyCall, 'ip' | 'appendHeader'>;

/** What an account is watched for: devices that register for it come before calls that only read. */
export type WatchPurpose = 'read' | 'registration';

/**
 * Watches an account, so that its chain's indexer follows it, or records that it was read again.
 * @param reader none when the program itself needs the account
 * @param purpose default: `read`
 * @returns the number of the watch
 * @throws Problem 429 or 503 when the reader may not have another account watched, 404 `network_off`
 */
export type Watch = (account: AccountRef, reader?: Reader, purpose?: WatchPurpose) => Promise<number>;

const UNREADABLE = [ProjectionBehind, ProjectionStopped, ProjectionIncomplete];

/**
 * Watches an account that is read, unless an outage prevents it: what is known can be read all the same.
 * @returns the number of the watch; null when there is none because of an outage
 * @throws Problem when the watch is refused; ProjectionBehind, ProjectionStopped, ProjectionIncomplete while it is not known how many are watched
 */
export async function watchIfPossible(
  { watch, logger }: { readonly watch: Watch; readonly logger: Pick<Logger, 'debug' | 'error'> },
  account: AccountRef,
  reader: Reader,
): Promise<number | null> {
  try {
    return await watch(account, reader);
  } catch (error) {
    if (error instanceof Problem || UNREADABLE.some(unreadable => error instanceof unreadable)) throw error;
    logger[failureLevel(error, 'error')]({ err: error, ...account }, 'account could not be watched');
    return null;
  }
}

/**
 * Whether an account that nobody watches may be watched for a reader.
 * @returns the `CallerSource` of the reader, to which the watch is counted
 * @throws Problem 429 `rate_limited`, 503 `watch_limit_reached`
 */
export type AdmitFirstRead = (account: AccountRef, reader: Reader, purpose: WatchPurpose) => Promise<string>;

/** Which accounts of a chain are used: one that somebody made up has neither a transaction nor a balance. */
export interface AccountUse {
  readonly chain: NetworkRef['chain'];
  /** Whether the documents have a transaction of it. */
  hasTransaction(views: Views, account: AccountRef): Promise<boolean>;
  /** Whether the chain has a balance of it, or whatever else it says of accounts that are used. Rejects when no node answers. */
  isOnChain(clients: Pick<Clients, AccountRef['chain']>, account: AccountRef): Promise<boolean>;
}
