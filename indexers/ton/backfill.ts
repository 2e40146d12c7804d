import {
  encodeTonMessage,
  TON_MESSAGE_VERSION,
  TON_TRANSACTIONS,
  tonMessageKey,
} from '../../contracts/chain/ton';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../contracts/network';
import type { Documents } from '../../contracts/ports/documents';
import type { Log } from '../../contracts/ports/log';
import { loadProgress, storeProgress, type BackfillProgress, type Stretch } from './backfill-progress';
import { letter } from './letters';
import { post, type TonIndexerMetrics } from './post';
import type { TonSource } from './source/port';
import { ACTIVATIONS, headId, NO_TRANSACTION, type ActivationDocument } from './state';
import { walkBack } from './walk';

export interface BackfillDeps {
  readonly network: TonNetwork;
  readonly source: TonSource;
  readonly log: Log;
  readonly documents: Documents;
  readonly metrics: TonIndexerMetrics;
  /** Milliseconds that a turn waits for the tail to follow its account; default 1,000. */
  readonly patience?: number;
  /** Pages that a turn reads; default 50. */
  readonly pages?: number;
}

/** Where the tail began to follow an account: what is newer than that is the tail's. Null while it does not. */
async function activation(
  { documents, network, patience = 1_000 }: BackfillDeps,
  account: string,
): Promise<ActivationDocument | null> {
  const look = (): Promise<ActivationDocument | null> =>
    documents.get<ActivationDocument>(ACTIVATIONS, headId(network, account));
  const changed = documents.changed([ACTIVATIONS], patience);
  const found = await look();
  if (found) return found;
  await changed;
  return look();
}

/** Publishes a stretch down to its floor, or as many pages of it as the turn may read. */
async function readStretch(
  { network, source, log, documents, metrics, pages = 50 }: BackfillDeps,
  account: string,
  { covered }: BackfillProgress,
  stretch: Stretch,
  signal: AbortSignal,
): Promise<BackfillProgress> {
  const postmark = { network, account, seqno: null, origin: 'backfill' } as const;
  const floor = BigInt(stretch.floor);
  let { next } = stretch;
  let read = 0;
  for await (const steps of walkBack(source, account, next, signal)) {
    const wanted = steps.filter(({ header }) => BigInt(header.lt) > floor);
    const letters = wanted.map(({ cell, header }) => letter(cell, header, postmark));
    await post(log, letters, metrics);
    next = steps.at(-1)!.header.prev;
    if (BigInt(next.lt) <= floor) break;
    const progress = { covered, stretch: { ...stretch, next }, complete: false };
    await storeProgress(documents, network, account, progress);
    if (++read === pages) return progress;
  }
  const done = { covered: stretch.top.lt, stretch: null, complete: false };
  await storeProgress(documents, network, account, done);
  return done;
}

async function finish(
  { network, log, documents }: BackfillDeps,
  account: string,
  covered: string,
): Promise<void> {
  const downTo = NO_TRANSACTION.lt;
  const marker = { type: 'backfilled', version: TON_MESSAGE_VERSION, network, account, downTo } as const;
  await log.publish(TON_TRANSACTIONS.name, [{ key: tonMessageKey(marker), value: encodeTonMessage(marker) }]);
  await storeProgress(documents, network, account, { covered, stretch: null, complete: true });
}

const stretchTo = (top: TransactionRef, floor: string): Stretch => ({ top, next: top, floor });

/**
 * One turn at reading the history of an account onto the log, newest first, so that the first page is there soon. It
 * begins at once, at the newest transaction, and afterwards closes what may lie between there and where the tail began
 * to follow the account. The marker then says that nothing is missing. True when it is complete, false when another
 * turn is needed: it goes on where this one ended or was interrupted.
 */
export async function backfillTurn(
  deps: BackfillDeps,
  account: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { network, source, documents } = deps;
  let progress = await loadProgress(documents, network, account);
  while (!progress.complete) {
    const { covered, stretch } = progress;
    if (stretch) {
      progress = await readStretch(deps, account, progress, stretch, signal);
      if (progress.stretch) return false;
    } else if (covered === null) {
      const newest = await source.last(account, await source.tip(signal), signal);
      progress = { ...progress, stretch: stretchTo(newest ?? NO_TRANSACTION, NO_TRANSACTION.lt) };
    } else {
      const base = await activation(deps, account);
      if (!base) return false;
      if (BigInt(base.lt) <= BigInt(covered)) {
        await finish(deps, account, covered);
        return true;
      }
      progress = { ...progress, stretch: stretchTo(base, covered) };
    }
  }
  return true;
}
