import { z } from 'zod';
import { encryptedText } from '../text/personal-text';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the audit trail: one stream per instance and day (UTC). Not part of the ledger: it records reads too. */
export const AUDIT_CATEGORY = 'audit';

/** @param day YYYY-MM-DD, in UTC */
export function auditStream(instanceId: string, day: string): string {
  return `${AUDIT_CATEGORY}-${instanceId}-${day}`;
}

/** The actor is the `sub` of a token; null without a valid one. The address is encrypted with the key of the actor. */
const caller = { action: z.string().nullable(), actor: z.string().nullable(), address: encryptedText };

const call = {
  at: z.string(),
  requestId: z.string(),
  /** Ids, months, days and counts from the request; never free text. */
  about: z.record(z.string(), z.string()),
  /** `failed` is an internal error: the action may have happened or not. */
  outcome: z.enum(['ok', 'refused', 'failed']),
  code: z.string().nullable(),
};

// These types are the storage format.
const audited = eventType({
  name: 'CallAudited',
  schema: z.object({
    ...call,
    ...caller,
    issuer: z.string().nullable(),
    role: z.string().nullable(),
    session: z.object({
      id: z.string().nullable(),
      /** Seconds since the strong authentication; null when the token has none. */
      age: z.number().nullable(),
    }),
    status: z.int(),
    /** Answered with the recorded response of the same idempotency key. */
    replayed: z.boolean(),
  }),
});
/** A command of an operator; the actor is `cli:<user of the operating system>`. */
const commanded = eventType({
  name: 'CommandAudited',
  schema: z.object({ ...call, action: z.string(), actor: z.string() }),
});
/** Refusals that were counted instead of recorded one by one. */
const counted = eventType({
  name: 'RefusalsCounted',
  schema: z.object({
    from: z.string(),
    to: z.string(),
    counts: z.array(z.object({ ...caller, status: z.int(), code: z.string(), count: z.int() })),
    /** Refusals of callers beyond those counted separately. */
    others: z.int(),
  }),
});

export const auditEvents = eventFamily(audited, commanded, counted);
export type AuditEvent = EventOf<typeof audited | typeof commanded | typeof counted>;
export type CallAudited = EventOf<typeof audited>['data'];
export type CommandAudited = EventOf<typeof commanded>['data'];
