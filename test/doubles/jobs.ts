import type { Jobs, NewJob } from '../../contracts/ports/jobs';

/** Keeps the jobs it was asked for, one per id; runs none. */
export class InMemoryJobsDouble implements Pick<Jobs, 'add'> {
  readonly added: NewJob[] = [];
  /** Jobs until adding fails. */
  failAfter = Infinity;

  async add(job: NewJob): Promise<boolean> {
    if (this.failAfter-- <= 0) {
      this.failAfter = Infinity;
      throw new Error('jobs are down');
    }
    if (this.added.some(({ id }) => id === job.id)) return false;
    this.added.push(job);
    return true;
  }
}
