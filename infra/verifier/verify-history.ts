import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { checkHashed, exportBytes } from './check-hashed';
import { checkCheckpoint, nameOf, type Compared, type Keys } from './evidence';
import { hashFile } from './hash-thread';
import { VerificationFailed } from './outcome';

export interface HistoryToVerify {
  /** Path of an export that starts with the first event of the ledger. */
  readonly file: string;
  /** Null without keys: signatures are not checked then. */
  readonly keys: Keys | null;
  /** That the verifier holds; at least one. */
  readonly checkpoints: readonly Checkpoint[];
  /** Default: in a worker thread. */
  readonly hash?: typeof hashFile;
  /** Of the bytes of the file. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface VerifiedHistory {
  readonly instance: string;
  /** Number of events in the export. */
  readonly events: number;
  /** How many of them the checkpoints cover. */
  readonly signed: number;
  readonly compared: readonly Compared[];
}

/**
 * Verifies that an export is the history of checkpoints, or continues it, without any answer.
 * @throws VerificationFailed
 */
export async function verifyHistory({
  file,
  keys,
  checkpoints,
  hash = hashFile,
  onProgress = () => undefined,
}: HistoryToVerify): Promise<VerifiedHistory> {
  const { instance } = checkpoints[0]!;
  const compared = checkpoints.map(each => {
    const isChecked = checkCheckpoint(each, keys, null);
    if (each.instance !== instance)
      throw new VerificationFailed('unusable', `${nameOf(each)} is of another instance: ${each.instance}`);
    return { name: nameOf(each), signedBy: isChecked ? each.keyId : null };
  });
  const signedHeads = checkpoints.map(each => ({ name: nameOf(each), head: each }));
  const total = exportBytes(file);
  const hashed = await hash({ file, signedHeads }, bytes => onProgress(Math.min(bytes, total), total));
  await checkHashed(file, hashed, { level: 0, roots: [] });
  const signed = Math.max(...checkpoints.map(({ size }) => size));
  return { instance, events: hashed.events, signed, compared };
}
