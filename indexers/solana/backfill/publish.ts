import { SOLANA_DEAD_LETTERS, SOLANA_TRANSACTIONS } from '../../../contracts/chain/solana';
import type { NewMessage } from '../../../contracts/ports/log';
import { newMessage } from '../records';
import type { BackfillDeps } from './deps';
import { listedSince, mentionedSince, type BackfillProgress } from './progress';

/** Publishes what was read. */
export async function publish(
  { log, metrics }: BackfillDeps,
  records: readonly NewMessage[],
  deadLetters: readonly NewMessage[] = [],
): Promise<void> {
  if (records.length > 0) await log.publish(SOLANA_TRANSACTIONS.name, records);
  if (deadLetters.length > 0) await log.publish(SOLANA_DEAD_LETTERS.name, deadLetters);
  metrics.published(records.length);
  metrics.deadLettered(deadLetters.length, 'undecodable');
}

/** Publishes how far back the history is known. @param parts how many parts are read to their end */
export async function publishReached(
  deps: BackfillDeps,
  progress: BackfillProgress,
  parts: number,
): Promise<void> {
  await publish(deps, reachedRecords(progress, progress.finalSlot, parts));
}

/** How far back the history is known, unless the account is not listed at all. @param slot up to which it is */
export function reachedRecords(progress: BackfillProgress, slot: number, parts: number): NewMessage[] {
  const { network, address: account, watch, listings } = progress;
  const mentioned = mentionedSince(progress);
  if (mentioned === null) return [];
  // Of what does not mention the account nothing is known before the first part ends: until then token accounts are found.
  const since = (parts > 0 ? listedSince(progress) : null) ?? slot;
  const complete = listings.length === 0;
  const reached = { slot, parts, since, mentionedSince: mentioned, complete };
  return [newMessage({ type: 'backfilled', network, account, watch, ...reached })];
}
