import { z } from 'zod';
import type { NewJob } from '../../../contracts/ports/jobs';
import {
  notificationCause,
  pushNotificationId,
  type NotificationCause,
} from '../../../contracts/push/push-cause';
import { JOB_RETENTION_MS } from '../../reactions/event-reaction';

export const PUSH_NOTIFICATIONS = 'push-notifications';
export const PUSH_RECEIPTS = 'push-receipts';

export const notificationJobData = z.object({
  notificationId: z.string(),
  deviceId: z.string(),
  cause: notificationCause,
  run: z.int(),
});
export type NotificationJob = z.output<typeof notificationJobData>;

/** With back-off an hour: then it is too late. */
export const ATTEMPTS = 12;

/** @param run from 1: each adds the next one when there is more to do later */
export function notificationJob(deviceId: string, cause: NotificationCause, run = 1, delayMs = 0): NewJob {
  const notificationId = pushNotificationId(deviceId, cause);
  const data: NotificationJob = { notificationId, deviceId, cause, run };
  const id = `${notificationId}/${run}`;
  return { queue: PUSH_NOTIFICATIONS, id, data, delayMs, attempts: ATTEMPTS, keepIdMs: JOB_RETENTION_MS };
}

const sent = z.object({ ticket: z.string(), notificationId: z.string(), deviceId: z.string() });
/** A notification that the sender has accepted. */
export type SentNotification = z.output<typeof sent>;

export const receiptsJobData = z.object({
  sent: z.array(sent),
  /** RFC 3339 UTC instant with milliseconds. */
  sentAt: z.iso.datetime(),
  run: z.int(),
});
export type ReceiptsJob = z.output<typeof receiptsJobData>;

/** Expo has most receipts by then, and keeps them for a day. */
const RECEIPT_DELAYS_MS = [15 * 60_000, 45 * 60_000, 4 * 3_600_000];
/** With waits that double from a minute: eight hours. */
const RECEIPT_ATTEMPTS = 10;

/** @param run from 1 @returns null after the last one */
export function receiptsJob(sent: readonly SentNotification[], sentAt: string, run: number): NewJob | null {
  const delayMs = RECEIPT_DELAYS_MS[run - 1];
  const [first] = sent;
  if (delayMs === undefined || !first) return null;
  const data: ReceiptsJob = { sent: [...sent], sentAt, run };
  const id = `${first.notificationId}/${run}`;
  return { queue: PUSH_RECEIPTS, id, data, delayMs, attempts: RECEIPT_ATTEMPTS, backoffMs: 60_000 };
}
