import { z } from 'zod';
import { appId } from './app-review';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of applications that operators have verified, one stream per application. */
export const APP_VERIFICATION_CATEGORY = 'appVerification';

/** @param url as `appUrl` writes it */
export function appVerificationStream(url: string): string {
  return `${APP_VERIFICATION_CATEGORY}-${appId(url)}`;
}

const data = z.object({
  url: z.string(),
  /** Of the operator; null when none was given. */
  reason: z.string().nullable(),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
  by: z.string(),
});

// These types are the storage format.
const verified = eventType({ name: 'AppVerified', schema: data });
const unverified = eventType({ name: 'AppUnverified', schema: data });

export const appVerificationEvents = eventFamily(verified, unverified);
export type AppVerificationEvent = EventOf<typeof verified | typeof unverified>;
