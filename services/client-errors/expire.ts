import { sleep } from '../../contracts/retry/retry';
import type { ClientErrorStore } from './store';

const INTERVAL_MS = 600_000;

interface ExpireDeps {
  readonly store: Pick<ClientErrorStore, 'expire'>;
  readonly clock: () => Date;
  readonly retentionMs: number;
}

/** Erases what was not reported again within the retention, until the signal. Any number of processes may do this. */
export async function keepExpiringErrors(
  { store, clock, retentionMs }: ExpireDeps,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await store.expire(new Date(clock().getTime() - retentionMs).toISOString());
    await sleep(INTERVAL_MS, signal);
  }
}
