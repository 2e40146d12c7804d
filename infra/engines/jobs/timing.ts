const MAX_BACKOFF_MS = 86_400_000;
const MAX_SLOT_ATTEMPTS = 5;

/** The wait after a failed run: exponential back-off, at most a day. */
export function retryDelay(backoffMs: number, attempt: number): number {
  return Math.min(MAX_BACKOFF_MS, backoffMs * 2 ** Math.min(attempt - 1, 50));
}

/** The first multiple of the interval after a moment: missed slots are skipped. */
export function nextSlot(everyMs: number, now: number): number {
  return (Math.floor(now / everyMs) + 1) * everyMs;
}

/** The job id of a scheduled run. */
export function slotId(schedule: string, slot: number): string {
  return `${schedule}@${slot}`;
}

/** A failed slot is retried only while the retries end before the next slot. */
export function slotAttempts(everyMs: number, backoffMs: number): number {
  let attempts = 1;
  for (
    let wait = backoffMs;
    wait <= everyMs && attempts < MAX_SLOT_ATTEMPTS;
    wait += retryDelay(backoffMs, attempts)
  )
    attempts += 1;
  return attempts;
}
