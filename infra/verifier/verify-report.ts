import { parseExportCursor } from '../../contracts/http/billing/export-cursor';
import type { Json, JsonObject } from '../../contracts/json/json';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { bodyDigest, type ReportProof } from '../../contracts/ledger-tree/report-proof';
import { verifiedSubtreeRoots } from '../../contracts/ledger-tree/subtree-roots';
import type { Position } from '../../contracts/position';
import { BILLING_PROJECTIONS } from '../../projections/billing/billing-projections';
import type { RowKey } from '../../projections/billing/fee-ledger';
import { checkHashed, exportBytes } from './check-hashed';
import { checkCheckpoint, checkProof, nameOf, type Compared, type Evidence, type Keys } from './evidence';
import { readEvents } from './export-lines';
import { hashFile } from './hash-thread';
import { VerificationFailed } from './outcome';
import { ReportComputation } from './report-computation';
import { checkPersonalTexts, type UnprovenTexts } from './personal-texts';
import { planReport } from './report-plan';
import type { SignedHead } from './signed-heads';

export interface ReportToVerify {
  /** Path of an export that starts with the first event of the ledger. */
  readonly file: string;
  readonly evidence: Evidence;
  /** Null without keys. */
  readonly keys: Keys | null;
  /** Checkpoints that the verifier holds. */
  readonly checkpoints: readonly Checkpoint[];
  /** Default: in a worker thread. */
  readonly hash?: typeof hashFile;
  /** Of the bytes of the file. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface VerifiedReport {
  /** Number of events in the export; `proof.size` of them are behind the answer. */
  readonly events: number;
  /** How many of them were signed: by the proof, or by a later checkpoint. */
  readonly signed: number;
  readonly proof: ReportProof;
  /** Of the answer; null for a proof alone, without an answer to check. */
  readonly texts: UnprovenTexts | null;
  readonly compared: readonly Compared[];
}

/**
 * Verifies an answer with an export of the ledger alone: the signatures, that the events are the signed ones, and that
 * folding them yields the answer. Hashes and folds at the same time, each reading the file separately, so the file must
 * not change meanwhile; reads it once more when the answer is of rows, listed or counted. Holds only the documents of the
 * answer in memory.
 * @throws VerificationFailed
 */
export async function verifyReport({
  file,
  evidence: { proof, body },
  keys,
  checkpoints: held,
  hash = hashFile,
  onProgress = () => undefined,
}: ReportToVerify): Promise<VerifiedReport> {
  checkProof(proof, keys);
  const checkpoints = [...held, ...(proof.checkpoint ? [proof.checkpoint] : [])];
  const compared = checkpoints.map(each => {
    const isChecked = checkCheckpoint(each, keys, proof.key);
    if (each.instance !== proof.instance)
      throw new VerificationFailed('unusable', `${nameOf(each)} is of another instance: ${each.instance}`);
    return { name: nameOf(each), signedBy: isChecked ? each.keyId : null };
  });
  const { level } = proof.subtreeRoots;
  const roots = verifiedSubtreeRoots(proof.subtreeRoots, proof.size, proof.root);
  if (!roots)
    throw new VerificationFailed(
      'bad_signature',
      'the subtree roots of the proof do not yield the signed root',
    );
  if (body !== null && bodyDigest(body) !== proof.bodyDigest)
    throw new VerificationFailed('wrong_answer', 'the answer in the file is not the one of the proof');

  const computation = new ReportComputation(
    proof.size,
    planReport(proof.query, proof.position, proof.projections),
  );
  const signedHeads: SignedHead[] = [
    { name: 'the proof', head: proof },
    ...checkpoints.map(each => ({ name: nameOf(each), head: each })),
  ];
  const total = exportBytes(file);
  const [hashed] = await Promise.all([
    hash({ file, signedHeads }, bytes => onProgress(Math.min(bytes, total), total)),
    fold(file, computation),
  ]);
  await checkHashed(file, hashed, { level, roots });

  const answer = await computation.finish(file);
  if (bodyDigest(answer) !== proof.bodyDigest)
    throw new VerificationFailed(
      'wrong_answer',
      `the events yield another answer than the signed one${otherVersions(proof)}`,
    );
  if (body !== null) checkCursor(body, answer, { from: proof.position, before: computation.nextPosition });
  const texts = body === null ? null : checkPersonalTexts(body, answer, proof);
  const signed = Math.max(...signedHeads.map(({ head }) => head.size));
  return { events: hashed.events, signed, proof, texts, compared };
}

/**
 * The digest leaves the cursor out. Its position can be that of an event outside the ledger, before the next one of it.
 * @throws VerificationFailed
 */
function checkCursor(
  body: Json,
  computed: Json,
  { from, before }: { readonly from: Position; readonly before: Position | null },
): void {
  const [given, expected] = [body, computed].map(each => (each as JsonObject)['cursor']);
  if (given === undefined && expected === undefined) return;
  const [one, other] = [given, expected].map(each =>
    typeof each === 'string' ? parseExportCursor(each) : null,
  );
  const isSame =
    one &&
    other &&
    one.query === other.query &&
    one.ledger === other.ledger &&
    isSameRow(one.after, other.after);
  if (!isSame || one.position < from || (before !== null && one.position >= before))
    throw new VerificationFailed(
      'wrong_answer',
      'the cursor does not continue after the last row of the answer',
    );
}

const isSameRow = (one: RowKey, other: RowKey): boolean =>
  one.created_at === other.created_at && one.id === other.id;

async function fold(file: string, computation: ReportComputation): Promise<void> {
  for await (const batch of readEvents(file)) {
    computation.add(batch);
    if (computation.isDone) return;
  }
}

/** A verifier with other versions of the projections may compute another answer. */
function otherVersions({ projections }: ReportProof): string {
  const others = BILLING_PROJECTIONS.filter(({ name, version }) => projections[name] !== version);
  return others.length === 0
    ? ''
    : `; it was made by other versions of ${others.map(({ name }) => name).join(', ')} than this program has`;
}
