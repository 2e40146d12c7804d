import type { LogMessage, NewMessage } from '../ports/log';

/**
 * The history of an account that nobody watches is removed. The documents that records of the account have left go: those that
 * are named, and no others.
 */
export interface RemovedDocuments {
  readonly type: 'removed';
  /** Their ids, by the collection in the spec of a projection. */
  readonly documents: Readonly<Record<string, readonly string[]>>;
}

/**
 * The header of a record that counts for nothing when the log has stored it later (RFC 3339): a process that was suspended may
 * publish it when the account is watched again. A copy of a log leaves it out where the original was in time.
 */
export const VALID_UNTIL = 'valid-until';

/** Whether a record counts. */
export function isInTime({ headers, timestamp }: Pick<LogMessage, 'headers' | 'timestamp'>): boolean {
  const until = headers[VALID_UNTIL];
  return until === undefined || timestamp <= Date.parse(until);
}

/** The message as a copy of the log has it, which is stored later. */
export function copyOf(message: LogMessage): NewMessage {
  const { key, value, headers } = message;
  if (headers[VALID_UNTIL] === undefined || !isInTime(message)) return { key, value, headers };
  return { key, value, headers: withoutValidity(headers) };
}

/** What is the same of a message and its copy. */
export function withoutValidity(headers: LogMessage['headers']): LogMessage['headers'] {
  const { [VALID_UNTIL]: _, ...others } = headers;
  return others;
}
