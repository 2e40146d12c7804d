import { z } from 'zod';
import { sealedText } from '../personal-text';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the audit trail: one stream per instance and day (UTC). Not part of the ledger: it tells of reads too. */
export const AUDIT_CATEGORY = 'audit';

/** @param day YYYY-MM-DD, in UTC */
export function auditStream(instanceId: string, day: string): string {
  return `${AUDIT_CATEGORY}-${instanceId}-${day}`;
}

/** An actor is the `sub` of a token; null where nobody had shown a good one. The address is sealed for the actor. */
const who = { action: z.string().nullable(), actor: z.string().nullable(), address: sealedText };

const done = {
  at: z.string(),
  requestId: z.string(),
  /** The ids, months, days and counts that it was about; never free text. */
  about: z.record(z.string(), z.string()),
  /** `failed` is a fault of ours: it may have happened, or not. */
  outcome: z.enum(['ok', 'refused', 'failed']),
  code: z.string().nullable(),
};

// These types are the storage format.
const audited = eventType({
  name: 'CallAudited',
  schema: z.object({
    ...done,
    ...who,
    issuer: z.string().nullable(),
    role: z.string().nullable(),
    session: z.object({
      id: z.string().nullable(),
      /** Seconds since the strong authentication; null where the token shows none. */
      age: z.number().nullable(),
    }),
    status: z.int(),
    /** Answered from what the same idempotency key was answered before. */
    replayed: z.boolean(),
  }),
});
/** What an operator did on the command line; the actor is `cli:<user of the operating system>`. */
const commanded = eventType({
  name: 'CommandAudited',
  schema: z.object({ ...done, action: z.string(), actor: z.string() }),
});
/** Refusals that were not written down one by one. */
const counted = eventType({
  name: 'RefusalsCounted',
  schema: z.object({
    from: z.string(),
    to: z.string(),
    counts: z.array(z.object({ ...who, status: z.int(), code: z.string(), count: z.int() })),
    /** Of more callers than are told apart. */
    others: z.int(),
  }),
});

export const auditEvents = eventFamily(audited, commanded, counted);
export type AuditEvent = EventOf<typeof audited | typeof commanded | typeof counted>;
export type CallAudited = EventOf<typeof audited>['data'];
export type CommandAudited = EventOf<typeof commanded>['data'];
export type RefusalsCounted = EventOf<typeof counted>['data'];
