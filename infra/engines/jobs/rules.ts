import type { NewJob, Schedule } from '../../../contracts/ports/jobs';

const DAY = 86_400_000;

const milliseconds = (name: string, value: number): number => {
  if (!(value >= 0 && value <= 10_000 * DAY))
    throw new TypeError(`${name} of a job is a number of milliseconds`);
  return Math.ceil(value);
};

/** Ids may hold any character; an adapter whose engine gives one a meaning (`:` in BullMQ) encodes it. */
const checkName = (what: string, name: string): void => {
  const wellFormed = (name as string & { isWellFormed(): boolean }).isWellFormed();
  if (name === '' || name.length > 500 || name.includes('\0') || !wellFormed)
    throw new TypeError(`the ${what} of a job has 1 to 500 characters`);
};

/** @throws TypeError naming what is wrong */
export function completed(job: NewJob): Required<NewJob> {
  const { queue, id, data, delay = 0, attempts = 5, backoff = 1_000, keep = 0 } = job;
  checkName('queue', queue);
  checkName('id', id);
  if (!Number.isSafeInteger(attempts) || attempts < 1)
    throw new TypeError('attempts of a job are a number from 1');
  return {
    queue,
    id,
    data,
    attempts,
    delay: milliseconds('delay', delay),
    backoff: milliseconds('backoff', backoff),
    keep: milliseconds('keep', keep),
  };
}

/** @throws TypeError naming what is wrong */
export function checkSchedule({ queue, id, every }: Schedule): void {
  checkName('queue', queue);
  checkName('id', id);
  if (!Number.isSafeInteger(every) || every < 1 || every > 10_000 * DAY)
    throw new TypeError('every of a schedule is a whole number of milliseconds');
}

/** The wait after a failed run: `backoff`, doubling with each, at most a day. */
export function retryDelay(backoff: number, attempt: number): number {
  return Math.min(DAY, backoff * 2 ** Math.min(attempt - 1, 50));
}

/** The next multiple of `every` after a moment: slots that went by meanwhile are not made up for. */
export function nextSlot(every: number, now: number): number {
  return (Math.floor(now / every) + 1) * every;
}

export function slotId(schedule: string, slot: number): string {
  return `${schedule}@${slot}`;
}

/** A failed slot is run again only as long as the waits in between fit before the next slot. */
export function slotAttempts(every: number, backoff: number): number {
  let attempts = 1;
  for (let wait = backoff; wait <= every && attempts < 5; wait += retryDelay(backoff, attempts))
    attempts += 1;
  return attempts;
}

/** What is kept of a handler's error, as text any engine stores. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return (text.slice(0, 4_000) as string & { toWellFormed(): string })
    .toWellFormed()
    .replaceAll('\0', '\ufffd');
}
