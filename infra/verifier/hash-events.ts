import { DigestLineWriter } from '../../contracts/ledger-tree/digest-lines';
import { eventDigest, isDigestLine } from '../../contracts/ledger-tree/ledger-line';
import { BEGINNING, type Position } from '../../contracts/position';
import { eventInLine } from './event-line';
import { positionInUnsigned, positionOf, readLines } from './export-lines';
import { SignedHeadChecker, type Mismatch, type SignedHead } from './signed-heads';

export interface HashResult {
  readonly events: number;
  readonly mismatch: Mismatch | null;
  /** The first line that is neither the next event, in its canonical form, nor the digests of those before it, or null. */
  readonly foreignLine: number | null;
  /** Whether a line of digests is not that of the events before it. */
  readonly digestsDiffer: boolean;
}

export interface HashTask {
  readonly file: string;
  readonly signedHeads: readonly SignedHead[];
}

/**
 * Hashes the events of an export and compares them with the signed heads.
 * @param onProgress called with the number of bytes so far
 * @throws VerificationFailed when the file cannot be read
 */
export async function hashEvents(
  { file, signedHeads }: HashTask,
  onProgress: (bytes: number) => void,
): Promise<HashResult> {
  const checker = new SignedHeadChecker(signedHeads, positionOf);
  const digestLines = new ExpectedDigestLine();
  const signed = Math.max(...signedHeads.map(({ head }) => head.size));
  let position = BEGINNING;
  let number = 0;
  let bytes = 0;
  let foreignLine: number | null = null;
  let digestsDiffer = false;
  for await (const { lines } of readLines(file)) {
    for (const line of lines) {
      number++;
      bytes += line.length + 1;
      if (isDigestLine(line)) {
        if (!digestLines.matches(line)) {
          foreignLine ??= number;
          digestsDiffer = true;
        }
        continue;
      }
      const at = checker.size < signed ? (eventInLine(line)?.position ?? null) : positionInUnsigned(line);
      if (at === null || at <= position) foreignLine ??= number;
      position = at ?? position;
      const digest = eventDigest(line);
      digestLines.add(digest, position);
      checker.add(digest, line);
    }
    if (checker.mismatch) break;
    onProgress(bytes);
  }
  return { events: checker.size, mismatch: checker.end(), foreignLine, digestsDiffer };
}

/** The digest line that may come next: after every 256 events, and after the last one. */
class ExpectedDigestLine {
  readonly #writer = new DigestLineWriter();
  #due: string | null = null;

  add(digest: Buffer, position: Position): void {
    this.#due = this.#writer.add(digest, position);
  }

  matches(line: Buffer): boolean {
    const expected = this.#due ?? this.#writer.end();
    this.#due = null;
    return line.toString() === expected;
  }
}
