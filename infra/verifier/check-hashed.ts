import { statSync } from 'node:fs';
import { messageOf } from '../../contracts/text/error-message';
import { checkIsExport, isWhole } from './export-lines';
import { findDifference, type ProvenSubtrees } from './find-difference';
import type { HashResult } from './hash-events';
import { VerificationFailed } from './outcome';
import { describeMismatch, type Mismatch } from './signed-heads';

/** The size of an export. @throws VerificationFailed when it cannot be read */
export function exportBytes(file: string): number {
  try {
    const stats = statSync(file);
    // It is read several times.
    if (!stats.isFile()) throw new Error('not a regular file');
    return stats.size;
  } catch (error) {
    throw new VerificationFailed('unusable', `${file}: ${messageOf(error)}`);
  }
}

/**
 * Refuses an export of which hashing has shown that its events are not the signed ones, and finds where they differ.
 * @param proven subtrees of a signed tree, if there are any
 * @throws VerificationFailed
 */
export async function checkHashed(file: string, hashed: HashResult, proven: ProvenSubtrees): Promise<void> {
  const { mismatch, foreignLine } = hashed;
  if (mismatch || foreignLine !== null) await checkIsExport(file);
  if (mismatch) throw await failureOf(file, proven, mismatch, hashed);
  if (foreignLine !== null)
    throw new VerificationFailed(
      'altered',
      'a line is neither the canonical form of the next event nor the digests of those before it',
      { line: foreignLine },
    );
}

/** An event left out in the middle looks like a missing tail until a difference is shown; so does a line that was cut off. */
async function failureOf(
  file: string,
  proven: ProvenSubtrees,
  mismatch: Mismatch,
  { events, digestsDiffer }: HashResult,
): Promise<VerificationFailed> {
  const { signed, lastMatch, missing } = mismatch;
  const suspected = { from: lastMatch?.head.size ?? 0, to: signed.head.size };
  const { inSubtrees, location } = await findDifference(file, proven, suspected);
  if (!missing) return new VerificationFailed('altered', describeMismatch(mismatch, events), location);
  return (inSubtrees || digestsDiffer) && isWhole(file)
    ? new VerificationFailed('altered', `events of ${signed.name} are missing`, location)
    : new VerificationFailed('truncated', describeMismatch(mismatch, events));
}
