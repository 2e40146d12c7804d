import { z } from 'zod';
import { sealedText } from '../personal-text';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of calls that carried an `Idempotency-Key`: one per key and its scope. */
export const IDEMPOTENCY_CATEGORY = 'idempotency';

/** @param callId SHA-256, in hex, of the scope and the key */
export function idempotentCallStream(callId: string): string {
  return `${IDEMPOTENCY_CATEGORY}-${callId}`;
}

/**
 * The JSON of an answer as it is kept: sealed, because people's words may stand in it; compressed before (gzip, base64)
 * when it is long; and of one that is too long even so, the digest (SHA-256, in hex).
 */
const content = z.discriminatedUnion('form', [
  z.object({ form: z.enum(['json', 'gzip']), text: sealedText }),
  z.object({ form: z.literal('digest'), sha256: z.string() }),
]);

const answer = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  content,
});
export type KeptAnswer = z.output<typeof answer>;

// These types are the storage format.
const begun = eventType({
  name: 'IdempotentCallBegun',
  /** `bodyHash`: SHA-256, in hex, over the RFC 8785 form of the request. `attempt`: whoever carries the call out. */
  schema: z.object({ bodyHash: z.string(), attempt: z.string(), at: z.string() }),
});
const answered = eventType({
  name: 'IdempotentCallAnswered',
  schema: z.object({ answer, at: z.string() }),
});
/** The attempt came to nothing that may be answered again; the next one need not wait. */
const givenUp = eventType({
  name: 'IdempotentCallGivenUp',
  schema: z.object({ attempt: z.string(), at: z.string() }),
});

export const idempotencyEvents = eventFamily(begun, answered, givenUp);
export type IdempotencyEvent = EventOf<typeof begun | typeof answered | typeof givenUp>;
