import { hash } from 'node:crypto';
import {
  MESSAGE_OVERHEAD_BYTES,
  type MailboxLimits,
  type MessageFilter,
  type NewMessage,
} from '../../../contracts/ports/mailbox';
import { isStorableText } from '../sqlite/bind-values';

/**
 * More messages than a wallet misses while it is offline; the bytes of a thousand of the largest transactions. In all some
 * 200,000 messages of the usual size.
 */
export const DEFAULT_LIMITS: MailboxLimits = {
  messages: 10_000,
  bytes: 16 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
};

/**
 * An id is at least the time in milliseconds times this number, so that ids keep growing when the engine has lost all
 * data; they stay below 2^53 until the year 2109. The official bridge uses the same ids, so its clients' cursors work.
 */
export const IDS_PER_MS = 2048;

export const MAX_TTL_MS = 3_600_000;
const MAX_CLIENT_ID_LENGTH = 200;
const MAX_PAGE = 1_000;
const SOURCE = /^\S{1,100}$/;

/** Of messages as they are stored: a page has no further one once it has so many. */
export const MAX_PAGE_BYTES = 64 * 1024;

/** A valid message with what the adapters store besides. */
export interface PreparedMessage extends Required<NewMessage> {
  /** Empty when it has none. */
  readonly source: string;
  /** Bytes that count towards the limit of its recipient. */
  readonly size: number;
  /** Bytes that count towards the limit of all. */
  readonly storedBytes: number;
  /** Equal for equal sender, recipient and body. */
  readonly digest: string;
}

const checkClientId = (what: string, id: unknown): void => {
  if (!isStorableText(id) || id === '' || id.length > MAX_CLIENT_ID_LENGTH)
    throw new TypeError(`the ${what} of a message must have 1 to ${MAX_CLIENT_ID_LENGTH} characters`);
};

/** @throws TypeError that names the fault */
export function prepareMessage(message: NewMessage, limits: MailboxLimits): PreparedMessage {
  const { from, to, body, headers = {}, source = '', ttlMs } = message;
  checkClientId('sender', from);
  checkClientId('recipient', to);
  if (!isStorableText(body))
    throw new TypeError('the body of a message must be text without U+0000 and lone surrogates');
  for (const [name, value] of Object.entries(headers))
    if (!isStorableText(name) || !isStorableText(value)) throw new TypeError(`header ${name} is not text`);
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 1 || ttlMs > MAX_TTL_MS)
    throw new TypeError(`ttlMs must be an integer from 1 to ${MAX_TTL_MS}`);
  if (source !== '' && !SOURCE.test(source))
    throw new TypeError('the source of a message must have 1 to 100 characters without spaces');
  const size = Buffer.byteLength(from + body + JSON.stringify(headers));
  if (size > limits.bytes)
    throw new TypeError(`a message of ${size} bytes exceeds the mailbox limit of ${limits.bytes}`);
  const digest = hash('sha256', `${from}\0${to}\0${body}`, 'base64');
  const storedBytes = size + MESSAGE_OVERHEAD_BYTES;
  return { from, to, body, headers, source, ttlMs, size, storedBytes, digest };
}

/** The distinct recipients of a filter. @throws TypeError that names the fault */
export function recipientsOf({ to, after }: MessageFilter): readonly string[] {
  if (to.length === 0) throw new TypeError('at least one recipient is required');
  for (const recipient of to) checkClientId('recipient', recipient);
  if (!Number.isSafeInteger(after) || after < 0)
    throw new TypeError('after must be the id of a message, or 0');
  return [...new Set(to)];
}

/** @throws TypeError */
export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_PAGE)
    throw new TypeError(`limit must be an integer from 1 to ${MAX_PAGE}`);
}
