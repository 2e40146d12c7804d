import { createCalendar } from '../../contracts/calendar';
import type { Checkpoint } from '../../contracts/seal/checkpoint';
import { rungsOf } from '../../contracts/seal/ladder';
import { bodyDigest, type ReportProof } from '../../contracts/seal/proof';
import { BILLING_MODELS } from '../../projections/billing/models';
import { checkCheckpoint, checkProof, nameOf, type Evidence, type Keys } from './evidence';
import { readEvents } from './export-lines';
import { FirstPass } from './first-pass';
import { followFile } from './follow-thread';
import { contradicts, type Contradiction, type Signed } from './history';
import { locate, type Rungs } from './locate';
import { questionOf } from './question';
import { Failed } from './verdict';

export interface ReportToVerify {
  /** File of an export, from the first event of the ledger on. */
  readonly file: string;
  readonly evidence: Evidence;
  /** Null when none were given. */
  readonly keys: Keys | null;
  /** Checkpoints that the verifier kept. */
  readonly held: readonly Checkpoint[];
  readonly onProgress?: (events: number) => void;
}

export interface Verified {
  /** Events that the export holds, and those of them that the answer is made of. */
  readonly events: number;
  readonly proof: ReportProof;
}

/**
 * Verifies a served answer by an export of the ledger alone: the signatures, that the events are those which were
 * signed, and that they give this answer when they are folded anew. Hashes and folds side by side, each reading the file
 * for itself, so it must not change meanwhile; reads it once more where the answer lists rows. Keeps no more in memory
 * than the documents of the answer.
 * @throws Failed
 */
export async function verifyReport({
  file,
  evidence: { proof, body },
  keys,
  held,
  onProgress = () => undefined,
}: ReportToVerify): Promise<Verified> {
  checkProof(proof, keys);
  const kept = [...held, ...(proof.checkpoint ? [proof.checkpoint] : [])];
  for (const each of kept) {
    checkCheckpoint(each, keys, proof.key);
    if (each.instance !== proof.instance)
      throw new Failed('unusable', `${nameOf(each)} is of another instance: ${each.instance}`);
  }
  const rungs = rungsOf(proof.ladder, proof.size, proof.root);
  if (!rungs)
    throw new Failed('unsigned', 'the ladder of the proof does not lead to the root that was signed');
  if (body !== null && bodyDigest(body) !== proof.bodyDigest)
    throw new Failed('differs', 'the answer in the file is not the one that the proof is of');

  const question = questionOf(proof.query, createCalendar(proof.timeZone));
  const signed: Signed[] = [
    { what: 'the proof', history: proof },
    ...kept.map(each => ({ what: nameOf(each), history: each })),
  ];
  const pass = new FirstPass(proof.size, question);
  const [{ events, contradiction }] = await Promise.all([
    followFile({ file, signed }, onProgress),
    fold(file, pass),
  ]);
  if (contradiction)
    throw await located(file, { level: proof.ladder.level, roots: rungs }, contradiction, events);

  const answer = await pass.answer(file);
  if (bodyDigest(answer) !== proof.bodyDigest)
    throw new Failed(
      'differs',
      `the events give another answer than the one that was signed${otherFolds(proof)}`,
    );
  return { events, proof };
}

async function fold(file: string, pass: FirstPass): Promise<void> {
  for await (const passage of readEvents(file)) {
    pass.take(passage);
    if (pass.isOver) return;
  }
}

/** What is left out of the middle looks like a tail that is missing, until it is looked at closely. */
async function located(
  file: string,
  rungs: Rungs,
  contradiction: Contradiction,
  events: number,
): Promise<Failed> {
  const { signed, agreed, missing } = contradiction;
  const place = await locate(file, rungs, { from: agreed?.history.size ?? 0, to: signed.history.size });
  if (!missing) return new Failed('broken', contradicts(contradiction, events), place);
  return place.position === undefined
    ? new Failed('missing', contradicts(contradiction, events))
    : new Failed('broken', `events of ${signed.what} are missing`, place);
}

/** A verifier of another version may fold in another way. */
function otherFolds({ projections }: ReportProof): string {
  const others = BILLING_MODELS.filter(({ name, version }) => projections[name] !== version);
  return others.length === 0
    ? ''
    : `; it was made by other versions of ${others.map(({ name }) => name).join(', ')} than this program has`;
}
