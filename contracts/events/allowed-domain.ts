import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of domains that operators have decided about, one stream per domain. */
export const ALLOWED_DOMAIN_CATEGORY = 'allowedDomain';

/** @param domain as `webDomain` spells it */
export function allowedDomainStream(domain: string): string {
  return `${ALLOWED_DOMAIN_CATEGORY}-${domain}`;
}

const data = z.object({
  domain: z.string(),
  /** Of the operator; null when none was given. */
  reason: z.string().nullable(),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
  by: z.string(),
});

// These types are the storage format.
const allowed = eventType({ name: 'DomainAllowed', schema: data });
const revoked = eventType({ name: 'DomainRevoked', schema: data });

export const allowedDomainEvents = eventFamily(allowed, revoked);
export type AllowedDomainEvent = EventOf<typeof allowed | typeof revoked>;
