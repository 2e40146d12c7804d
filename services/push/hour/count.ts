import { pushHourOf, pushHourStream, type PushHour } from '../../../contracts/events/push-hour';
import type { Jobs } from '../../../contracts/ports/jobs';
import { messageOf } from '../../../contracts/text/error-message';
import type { Handle } from '../../commands/handle';
import type { NotificationJob } from '../notification/jobs';
import { isWithinCap, pushHourKind } from './decider';
import { summaryJob } from './summary';

export interface CountDeps {
  readonly handle: Handle;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly clock: () => Date;
}

/** Whether a notification is sent, or why that could not be decided. */
export type Admission = boolean | Error;

/**
 * Counts notifications in the hours they belong to, those of one hour together. Those beyond the cap are summed up in one
 * notification at its end, which is scheduled before this returns.
 */
export async function countInHours(
  deps: CountDeps,
  batch: readonly NotificationJob[],
): Promise<ReadonlyMap<NotificationJob, Admission>> {
  const hours = new Map<string, { readonly hour: PushHour; readonly jobs: NotificationJob[] }>();
  const admissions = new Map<NotificationJob, Admission>();
  for (const job of batch) {
    const { deviceId, cause } = job;
    if (cause.kind === 'summary') {
      admissions.set(job, true);
      continue;
    }
    const hour = pushHourOf(deviceId, cause.kind, cause.at);
    const stream = pushHourStream(hour);
    const { jobs } = hours.get(stream) ?? hours.set(stream, { hour, jobs: [] }).get(stream)!;
    jobs.push(job);
  }
  await Promise.all(
    [...hours.values()].map(async ({ hour, jobs }) => {
      const admit = await countInHour(deps, hour, jobs).catch((error: unknown) =>
        error instanceof Error ? error : new Error(messageOf(error)),
      );
      for (const job of jobs) admissions.set(job, admit instanceof Error ? admit : admit(job));
    }),
  );
  return admissions;
}

async function countInHour(
  { handle, jobs, clock }: CountDeps,
  hour: PushHour,
  batch: readonly NotificationJob[],
): Promise<(job: NotificationJob) => boolean> {
  const now = clock();
  const outcome = await handle(pushHourKind, pushHourStream(hour), {
    hour,
    notificationIds: batch.map(({ notificationId }) => notificationId),
    metadata: { now: now.toISOString(), actor: 'push' },
  });
  if (outcome.refusal) throw new Error(`${pushHourStream(hour)}: ${outcome.refusal.detail}`);
  const isSent = ({ notificationId }: NotificationJob): boolean => isWithinCap(outcome.state, notificationId);
  if (!batch.every(isSent)) await jobs.add(summaryJob(hour, now));
  return isSent;
}
