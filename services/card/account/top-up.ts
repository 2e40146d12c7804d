import type { CardEntry } from '../../../contracts/events/card-account';
import type { Entries } from './transaction';

/**
 * The id of a transfer as it is included in a block, which on Solana may be another one once the first was taken back: on TON the hash
 * of the transaction says where it is.
 * @param blockhash null on TON
 */
export function inclusionOf(hash: string, blockhash: string | null): string {
  return blockhash === null ? hash : `${hash}/${blockhash}`;
}

/** The id of the entry that takes an inclusion back. */
export function retractionOf(inclusion: string): string {
  return `${inclusion}/retracted`;
}

/**
 * Whether an inclusion was taken back, for good. Entries of earlier versions do not say the block: what was taken back then is in no
 * block, and what was credited then is taken back with any.
 * @param hash of the transaction
 */
export function isTopUpTakenBack(entries: Entries, inclusion: string, hash: string): boolean {
  return entries.some(
    ({ kind, id }) =>
      kind === 'top_up_reversed' &&
      (inclusion === hash || id === retractionOf(inclusion) || id === retractionOf(hash)),
  );
}

/** What is credited for a transfer: one entry at most. @param hash of the transaction */
export function countingTopUps(entries: Entries, hash: string): readonly CardEntry[] {
  return entries.filter(({ kind, id }) => kind === 'topped_up' && !isTopUpTakenBack(entries, id, hash));
}
