import type { Jobs } from '../../../../contracts/ports/jobs';

const NO_JOBS = { waiting: 0, delayed: 0, running: 0, failed: 0 };

/**
 * Jobs whose file is made with the first of them. Until then there are none, so that a command which only reads leaves a data
 * folder without them as it is, such as that of a backup.
 */
export function madeWithFirstJob(open: () => Jobs): Jobs {
  let made: Jobs | undefined;
  const jobs = (): Jobs => (made ??= open());
  return {
    add: async job => jobs().add(job),
    schedule: async schedule => jobs().schedule(schedule),
    unschedule: async (queue, id) => made?.unschedule(queue, id),
    work: async (options, handle) => jobs().work(options, handle),
    counts: async queue => made?.counts(queue) ?? NO_JOBS,
    queues: async () => made?.queues() ?? [],
    failures: async (queue, limit) => made?.failures(queue, limit) ?? [],
    close: async () => made?.close(),
  };
}
