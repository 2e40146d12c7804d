import { z } from 'zod';
import { accountKey, TON_NETWORKS } from '../network/network';
import { encryptedText } from '../text/personal-text';
import { sha256 } from '../encoding/sha256';
import { eventFamily, eventType, type EventOf } from './event-type';
import type { Reviewer } from './app-review';

/** The category of the streams of complaints about applications, one stream per application, type and reporter. */
export const APP_REPORT_CATEGORY = 'appReport';

export const APP_REPORT_TYPES = ['scam', 'spam', 'bug', 'offense'] as const;
export type AppReportType = (typeof APP_REPORT_TYPES)[number];

/** 32 lower-case hex digits: who complains of the same thing twice has complained once. */
export function appReportId(url: string, type: AppReportType, reporter: Reviewer): string {
  const of = [url, type, accountKey({ chain: 'ton', ...reporter })].join(' ');
  return sha256(of).subarray(0, 16).toString('hex');
}

export function appReportStream(reportId: string): string {
  return `${APP_REPORT_CATEGORY}-${reportId}`;
}

const report = {
  reportId: z.string(),
  url: z.string(),
  type: z.enum(APP_REPORT_TYPES),
  network: z.enum(TON_NETWORKS),
  /** Raw. */
  address: z.string(),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
};

// These types are the storage format.
const submitted = eventType({
  name: 'AppReported',
  version: 2,
  schema: z.object({
    ...report,
    /** JSON of `{text, images}`, by the reporter; null when there is none. */
    comment: encryptedText.nullable(),
    /** `CallerSource` of who has sent it; null where it was not recorded. Anybody can name any reporter. */
    source: z.string().nullable(),
    /** It is the first one of the reporter: the others add nothing but what they say. */
    isCounted: z.boolean(),
  }),
  upcasts: { 1: data => ({ ...data, source: null, isCounted: true }) },
});
/** By an operator: it does not count. */
const dismissed = eventType({
  name: 'AppReportDismissed',
  schema: z.object({ ...report, by: z.string() }),
});
/** It was sent long ago: nothing is known of it any more. */
const removed = eventType({ name: 'AppReportRemoved', schema: z.object(report) });

export const appReportEvents = eventFamily(submitted, dismissed, removed);
export type AppReportEvent = EventOf<typeof submitted | typeof dismissed | typeof removed>;
