import { z } from 'zod';
import type { JsonObject } from '../json/json';
import { encryptedText } from '../text/personal-text';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of devices, one stream per Expo push token. */
export const PUSH_DEVICE_CATEGORY = 'pushDevice';

/** @param deviceId of `parsePushToken` */
export function pushDeviceStream(deviceId: string): string {
  return `${PUSH_DEVICE_CATEGORY}-${deviceId}`;
}

/** The subject of the personal texts of a device: `tidemark erase` takes it. */
export function pushDeviceSubject(deviceId: string): string {
  return `push:${deviceId}`;
}

/** RFC 3339 UTC instant with milliseconds. */
const instant = z.iso.datetime();
/** `pushAccountId`. */
const accountId = z.string();

// These types are the storage format.
/** Registered, or registered again: instead of what was registered for the token before. */
const registered = eventType({
  name: 'PushDeviceRegistered',
  version: 3,
  schema: z.object({
    deviceId: z.string(),
    /** JSON of `PushContact`. */
    contact: encryptedText,
    /** SHA-256 of the registration, which contains the secret token, and of the id of the key; hex. */
    digest: z.string(),
    accounts: z.array(
      z.object({
        id: accountId,
        /** What happened before is not notified. */
        since: instant,
        /** The device did not follow it until now. */
        isAdded: z.boolean(),
        /** Its wallet has signed that the device is its own. */
        isProven: z.boolean(),
        /** `CallerSource` of the registration at the account; null where it was not recorded. */
        source: z.string().nullable(),
      }),
    ),
    /** Accounts that it followed until now. */
    dropped: z.array(accountId),
    /** `CallerSource` of the registration, of its day; null where it was not recorded. */
    source: z.string().nullable(),
    at: instant,
  }),
  upcasts: {
    1: ({ accounts, ...data }) => ({
      ...data,
      accounts: (accounts as JsonObject[]).map(account => ({ ...account, isProven: false })),
      source: null,
    }),
    2: ({ accounts, source, ...data }) => ({
      ...data,
      accounts: (accounts as JsonObject[]).map(account => ({ ...account, source: source! })),
      source: source!,
    }),
  },
});
/** No longer notified, until it is registered again. */
const retired = eventType({
  name: 'PushDeviceRetired',
  version: 2,
  schema: z.object({
    deviceId: z.string(),
    /** `expired`, since the second version: it has not registered for long. */
    reason: z.enum(['not_registered', 'operator', 'expired']),
    dropped: z.array(accountId),
    at: instant,
    by: z.string(),
  }),
  upcasts: { 1: data => data },
});

export const pushDeviceEvents = eventFamily(registered, retired);
export type PushDeviceEvent = EventOf<typeof registered | typeof retired>;

/** What is personal in a registration. */
export const pushContact = z.object({
  token: z.string(),
  /** Of the application on the device, base64. */
  appPublicKey: z.string(),
  /** `accountKey` of each account. */
  accounts: z.array(z.string()),
});
export type PushContact = z.output<typeof pushContact>;
