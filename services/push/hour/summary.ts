import { endOfPushHour, pushHour, pushHourStream, type PushHour } from '../../../contracts/events/push-hour';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Jobs, NewJob } from '../../../contracts/ports/jobs';
import { load } from '../../commands/load';
import { JOB_RETENTION_MS } from '../../reactions/event-reaction';
import { notificationJob } from '../notification/jobs';
import { countBeyondCap, pushHourKind } from './decider';

export const PUSH_SUMMARIES = 'push-summaries';

/** What happened in an hour may be seen so much later. */
const LATE_MS = 60_000;

/** Runs once for an hour, after its end. */
export function summaryJob(hour: PushHour, now: Date): NewJob {
  const delayMs = Math.max(0, endOfPushHour(hour) + LATE_MS - now.getTime());
  return {
    queue: PUSH_SUMMARIES,
    id: pushHourStream(hour),
    data: hour,
    delayMs,
    keepIdMs: JOB_RETENTION_MS,
  };
}

export interface SummaryDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly jobs: Pick<Jobs, 'add' | 'work'>;
}

/** Starts the notifications that say how many more there were in hours that have ended, until the signal. */
export function workSummaries({ store, jobs }: SummaryDeps, signal: AbortSignal): Promise<void> {
  return jobs.work({ queue: PUSH_SUMMARIES, signal }, async ({ data }) => {
    const hour = pushHour.parse(data);
    const more = countBeyondCap(await load(store, pushHourKind, pushHourStream(hour)));
    const at = new Date(endOfPushHour(hour)).toISOString();
    await jobs.add(notificationJob(hour.deviceId, { kind: 'summary', of: hour.kind, more, at }));
  });
}
