import type { Queue } from 'bullmq';
import type { Schedule } from '../../../../contracts/ports/jobs';
import { nextSlot, slotAttempts } from '../rules';
import { runOptions, type Stored } from './stored-job';

const BACKOFF = 1_000;

/** A colon means something in the ids of BullMQ's schedulers. */
const schedulerId = (id: string): string => encodeURIComponent(id);

/** BullMQ keeps one waiting job, of the next slot, and puts the one after it there when that is taken. */
export async function declareSchedule(queue: Queue<Stored>, { id, every, data }: Schedule): Promise<void> {
  // Without a start, the first slot would be now, and all others counted from it.
  const repeat = { every, startDate: nextSlot(every, Date.now()) };
  const opts = runOptions(slotAttempts(every, BACKOFF), BACKOFF);
  await queue.upsertJobScheduler(schedulerId(id), repeat, { name: id, data: { data, keep: 0 }, opts });
}

export async function removeSchedule(queue: Queue<Stored>, id: string): Promise<void> {
  const scheduler = schedulerId(id);
  const next = (await queue.getJobScheduler(scheduler))?.next;
  await queue.removeJobScheduler(scheduler);
  // A slot that is due already is not taken back with its schedule.
  if (next) await queue.remove(`repeat:${scheduler}:${next}`);
}
