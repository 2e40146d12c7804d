import { hash } from 'node:crypto';
import { isStorableText } from '../sqlite/values';
import type { Limits, NewMessage, Reading } from '../../../contracts/ports/mailbox';

/** Ten thousand messages are more than any wallet missed; bytes as for a thousand of the longest transactions. */
export const LIMITS: Limits = { messages: 10_000, bytes: 16 * 1024 * 1024 };

/**
 * Ids of one millisecond. An id is at least its time in milliseconds times this, so that ids go on upwards when the
 * engine has lost everything; below 2^53 until the year 2109. The official bridge counts alike: clients that come from
 * it bring cursors that fit.
 */
export const IDS_PER_MILLISECOND = 2048;

const LONGEST_TTL = 3_600_000;
const LONGEST_NAME = 200;
const MOST_AT_ONCE = 1_000;

/** A message as an adapter takes it. */
export interface Parcel {
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ttl: number;
  /** Bytes that it weighs. */
  readonly size: number;
  /** The same for the same sender, recipient and body. */
  readonly digest: string;
}

const checkName = (what: string, name: unknown): void => {
  if (!isStorableText(name) || name === '' || name.length > LONGEST_NAME)
    throw new TypeError(`${what} of a message has 1 to ${LONGEST_NAME} characters`);
};

/** @throws TypeError naming what is wrong */
export function parcel(message: NewMessage, limits: Limits): Parcel {
  const { from, to, body, headers = {}, ttl } = message;
  checkName('the sender', from);
  checkName('the recipient', to);
  if (!isStorableText(body)) throw new TypeError('a body is text without U+0000 and lone surrogates');
  for (const [name, value] of Object.entries(headers))
    if (!isStorableText(name) || !isStorableText(value)) throw new TypeError(`header ${name} is not text`);
  if (!Number.isSafeInteger(ttl) || ttl < 1 || ttl > LONGEST_TTL)
    throw new TypeError(`a ttl is a whole number of milliseconds from 1 to ${LONGEST_TTL}`);
  const size = [from, body, JSON.stringify(headers)].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (size > limits.bytes)
    throw new TypeError(`a message of ${size} bytes does not fit into a mailbox of ${limits.bytes}`);
  return {
    from,
    to,
    body,
    headers,
    ttl,
    size,
    digest: hash('sha256', JSON.stringify([from, to, body]), 'base64'),
  };
}

/** The recipients, each once. @throws TypeError naming what is wrong */
export function recipients({ to, after }: Reading): readonly string[] {
  if (to.length === 0) throw new TypeError('mail is read for at least one recipient');
  for (const name of to) checkName('the recipient', name);
  if (!Number.isSafeInteger(after) || after < 0) throw new TypeError('after is the id of a message, or 0');
  return [...new Set(to)];
}

/** @throws TypeError */
export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_AT_ONCE)
    throw new TypeError(`the limit is a whole number from 1 to ${MOST_AT_ONCE}`);
}
