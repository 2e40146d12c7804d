import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection } from 'mongodb';

/** What one client at a time works at. */
export interface Claimable {
  readonly _id: string;
  /** When the claim of a client ends that has crashed. */
  readonly until?: number;
}

const CLAIM_MS = 60_000;
const POLL_MS = 100;

/** Does the work unless it is done, while other clients wait for that. */
export async function exclusively(
  claims: Collection<Claimable>,
  _id: string,
  isDone: () => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  const claim = async (until: object): Promise<boolean> =>
    (await claims.updateOne({ _id, until }, { $set: { until: Date.now() + CLAIM_MS } })).matchedCount > 0;

  while (!(await isDone())) {
    if (!(await claim({ $not: { $gt: Date.now() } }))) {
      await sleep(POLL_MS);
      continue;
    }
    // An index alone may take longer to build than a claim lasts. Nothing is claimed again once it is released.
    const renewing = setInterval(() => void claim({ $exists: true }).catch(() => undefined), CLAIM_MS / 6);
    try {
      if (!(await isDone())) await work();
    } finally {
      clearInterval(renewing);
      await claims.updateOne({ _id }, { $unset: { until: true } });
    }
  }
}
