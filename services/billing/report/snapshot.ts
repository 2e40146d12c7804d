import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import type { EventStore } from '../../../contracts/ports/event-store';
import { REVENUE_BY_MERCHANT, type MerchantBucket } from '../../../projections/billing/revenue-buckets';
import type { Views } from '../../../projections/views';
import { waitUntilFolded } from '../../commands/wait-until-folded';

export interface SnapshotDeps {
  readonly store: Pick<EventStore, 'head'>;
  readonly views: Views;
  /** Milliseconds to wait for the sums. */
  readonly waitMs: number;
}

export interface Snapshot {
  readonly buckets: readonly MerchantBucket[];
  /** The buckets include the events of fees up to and including this position. */
  readonly ledgerPosition: Position;
}

/**
 * The buckets of merchants at one position, including everything acknowledged before the call.
 * @throws Problem 503 when the projection is behind, or the buckets change faster than they can be read
 */
export async function snapshot(
  { store, views, waitMs }: SnapshotDeps,
  buckets: () => AsyncIterable<MerchantBucket>,
): Promise<Snapshot> {
  const head = await store.head();
  await waitUntilFolded(views, [REVENUE_BY_MERCHANT.name], head, waitMs);
  const found = await stable(() => collect(buckets()));
  return {
    buckets: found,
    ledgerPosition: found.reduce((latest, { position }) => Math.max(latest, position), head),
  };
}

const collect = async (found: AsyncIterable<MerchantBucket>): Promise<MerchantBucket[]> => {
  const buckets: MerchantBucket[] = [];
  for await (const bucket of found) buckets.push(bucket);
  return buckets;
};

const MAX_READS = 20;

/**
 * Buckets are read in pages while fees are being folded. Two equal reads are a snapshot: nothing changed between the end
 * of the first and the start of the second, so both are the state at one position.
 */
async function stable(read: () => Promise<MerchantBucket[]>): Promise<MerchantBucket[]> {
  let before = await read();
  for (let reads = 1; reads <= MAX_READS; reads++) {
    const now = await read();
    if (isSame(before, now)) return now;
    before = now;
  }
  throw Problem.unavailable('Fees are recorded too fast for a snapshot; try again.', 1);
}

const isSame = (a: readonly MerchantBucket[], b: readonly MerchantBucket[]): boolean =>
  a.length === b.length &&
  a.every(({ _id, position }, i) => _id === b[i]!._id && position === b[i]!.position);
