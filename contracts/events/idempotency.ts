import { z } from 'zod';
import { encryptedText } from '../text/personal-text';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of calls that carried an `Idempotency-Key`: one per key and its scope. */
export const IDEMPOTENCY_CATEGORY = 'idempotency';

/** @param callId SHA-256, in hex, of the scope and the key */
export function idempotentCallStream(callId: string): string {
  return `${IDEMPOTENCY_CATEGORY}-${callId}`;
}

/**
 * The JSON of a response, encrypted because it may hold personal text. A long one is compressed first (gzip, base64); of
 * one that is still too long only the digest is stored (SHA-256, in hex).
 */
const content = z.discriminatedUnion('form', [
  z.object({ form: z.enum(['json', 'gzip']), text: encryptedText }),
  z.object({ form: z.literal('digest'), sha256: z.string() }),
]);

const response = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  content,
});
export type RecordedResponse = z.output<typeof response>;

// These types are the storage format.
const started = eventType({
  name: 'IdempotentCallStarted',
  /** `bodyHash`: SHA-256, in hex, over the RFC 8785 form of the request. `attempt`: id of the attempt that executes the call. */
  schema: z.object({ bodyHash: z.string(), attempt: z.string(), at: z.string() }),
});
const answered = eventType({
  name: 'IdempotentCallAnswered',
  schema: z.object({ response, at: z.string() }),
});
/** The attempt ended without a response to record; the next one need not wait. */
const abandoned = eventType({
  name: 'IdempotentCallAbandoned',
  schema: z.object({ attempt: z.string(), at: z.string() }),
});

export const idempotencyEvents = eventFamily(started, answered, abandoned);
export type IdempotencyEvent = EventOf<typeof started | typeof answered | typeof abandoned>;
