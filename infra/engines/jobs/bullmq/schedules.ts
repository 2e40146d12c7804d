import type { Queue } from 'bullmq';
import type { Schedule } from '../../../../contracts/ports/jobs';
import { nextSlot, slotAttempts } from '../timing';
import { runOptions, type JobData } from './stored-job';

const BACKOFF_MS = 1_000;

/** A colon has a meaning in the ids of BullMQ's schedulers. */
const schedulerId = (id: string): string => encodeURIComponent(id);

/** BullMQ has one waiting job, that of the next slot. When it is claimed, BullMQ adds the job of the slot after it. */
export async function declareSchedule(queue: Queue<JobData>, { id, everyMs, data }: Schedule): Promise<void> {
  // Without a start date the first slot would be now, and the others would be counted from it.
  const repeat = { every: everyMs, startDate: nextSlot(everyMs, Date.now()) };
  const opts = runOptions(slotAttempts(everyMs, BACKOFF_MS), BACKOFF_MS);
  await queue.upsertJobScheduler(schedulerId(id), repeat, { name: id, data: { data, keepIdMs: 0 }, opts });
}

export async function removeSchedule(queue: Queue<JobData>, id: string): Promise<void> {
  const scheduler = schedulerId(id);
  const next = (await queue.getJobScheduler(scheduler))?.next;
  await queue.removeJobScheduler(scheduler);
  // BullMQ does not remove a slot that is already due.
  if (next) await queue.remove(`repeat:${scheduler}:${next}`);
}
