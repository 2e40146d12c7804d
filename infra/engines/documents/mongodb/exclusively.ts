import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';

/** What one client at a time works at. */
export interface Claimable {
  readonly _id: string;
  /** When the claim of a client ends that has crashed. */
  readonly until?: number;
}

const CLAIM_MS = 60_000;
const POLL_MS = 100;

/** Does the work at what is claimed, unless that is done or not there, while other clients wait for it. */
export async function exclusively<Claimed extends Claimable>(
  db: Db,
  collection: string,
  _id: string,
  isDone: (found: Claimed) => boolean,
  work: (claimed: Claimed) => Promise<void>,
): Promise<void> {
  const claims = db.collection<Claimable>(collection);
  const claim = (until: object): Promise<unknown> =>
    claims.findOneAndUpdate(
      { _id, until },
      { $set: { until: Date.now() + CLAIM_MS } },
      { returnDocument: 'after' },
    );

  for (;;) {
    const found = await claims.findOne({ _id });
    if (!found || isDone(found as Claimed)) return;
    const claimed = await claim({ $not: { $gt: Date.now() } });
    if (!claimed) {
      await sleep(POLL_MS);
      continue;
    }
    // An index alone may take longer to build than a claim lasts. Nothing is claimed again once it is released.
    const renewing = setInterval(() => void claim({ $exists: true }).catch(() => undefined), CLAIM_MS / 6);
    try {
      if (!isDone(claimed as Claimed)) await work(claimed as Claimed);
      return;
    } finally {
      clearInterval(renewing);
      await claims.updateOne({ _id }, { $unset: { until: true } });
    }
  }
}
