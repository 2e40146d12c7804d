import type { NewJob, Schedule } from '../../../contracts/ports/jobs';

const MAX_MS = 10_000 * 86_400_000;
const MAX_NAME_LENGTH = 500;

const milliseconds = (name: string, value: number): number => {
  if (!(value >= 0 && value <= MAX_MS))
    throw new TypeError(`${name} of a job must be from 0 to ${MAX_MS} milliseconds`);
  return Math.ceil(value);
};

/** Any character is allowed; an adapter whose engine gives one a meaning (`:` in BullMQ) encodes it. */
const checkName = (what: string, name: string): void => {
  const wellFormed = (name as string & { isWellFormed(): boolean }).isWellFormed();
  if (name === '' || name.length > MAX_NAME_LENGTH || name.includes('\0') || !wellFormed)
    throw new TypeError(`the ${what} of a job must have 1 to ${MAX_NAME_LENGTH} characters`);
};

/** The job with the defaults filled in. @throws TypeError that names the fault */
export function validateJob(job: NewJob): Required<NewJob> {
  const { queue, id, data, delayMs = 0, attempts = 5, backoffMs = 1_000, keepIdMs = 0 } = job;
  checkName('queue', queue);
  checkName('id', id);
  if (!Number.isSafeInteger(attempts) || attempts < 1)
    throw new TypeError('attempts of a job must be an integer of at least 1');
  return {
    queue,
    id,
    data,
    attempts,
    delayMs: milliseconds('delayMs', delayMs),
    backoffMs: milliseconds('backoffMs', backoffMs),
    keepIdMs: milliseconds('keepIdMs', keepIdMs),
  };
}

/** @throws TypeError that names the fault */
export function validateSchedule({ queue, id, everyMs }: Schedule): void {
  checkName('queue', queue);
  checkName('id', id);
  if (!Number.isSafeInteger(everyMs) || everyMs < 1 || everyMs > MAX_MS)
    throw new TypeError(`everyMs of a schedule must be an integer from 1 to ${MAX_MS}`);
}
