import { isDeepStrictEqual } from 'node:util';
import type { Document, Documents, Mismatch } from '../../contracts/ports/documents';
import { sleep } from '../../contracts/retry/retry';
import { physicalName, partitionProgress, type Generation, type PartitionProgress } from './generation';
import { mergeJoin, type Pair } from './merge-join';
import { partitionOf, lastSeenBy } from './stored-document';

/** Result of a comparison of two generations of the same version. */
export interface Comparison {
  /** Documents in the new generation. */
  readonly documents: number;
  /** Documents whose content differs although both generations folded the same inputs. */
  readonly different: number;
  /** Documents that changed too often during the comparison, or that the live generation has not brought up to date. */
  readonly inconclusive: number;
  /** `collection/id` of some different ones. */
  readonly examples: readonly string[];
}

/** Documents that are compared again because they may have changed between the two reads. */
const MAX_CANDIDATES = 10_000;
const MAX_ROUNDS = 5;
/** How often, in all rounds, it is looked whether the live generation has folded what the new one has: in five seconds. */
const MAX_LIVE_POLLS = 50;
const LIVE_POLL_MS = 100;
const MAX_EXAMPLES = 10;
const PAGE = 500;

interface Candidate {
  readonly collection: string;
  readonly id: string;
}

/** Two generations of a projection. */
interface Generations {
  readonly documents: Documents;
  readonly live: Generation;
  readonly fresh: Generation;
  /** Folds into the new one what has been recorded since. */
  readonly catchUp: () => Promise<void>;
}

type Differs = (candidate: Candidate) => void;

/**
 * Compares every document of two generations while both are still changing. A document carries the last input that
 * changed it, so two that carry the same input must be equal. The others are compared again after `catchUp`, and once the
 * live generation has caught up too: for some seconds, since nobody may be running it.
 */
export async function compare(of: Generations, signal: AbortSignal): Promise<Comparison> {
  const { documents, live, fresh, catchUp } = of;
  const tally = { documents: 0, different: 0, inconclusive: 0, examples: [] as string[] };
  const countDifference: Differs = ({ collection, id }) => {
    tally.different++;
    if (tally.examples.length < MAX_EXAMPLES) tally.examples.push(`${collection}/${id}`);
  };

  const candidates: Candidate[] = [];
  for (const collection of live.collections) {
    for await (const { ids, documents: compared } of mismatches(of, collection)) {
      signal.throwIfAborted();
      tally.documents += compared;
      const found = ids.map(id => ({ collection, id }));
      for (const candidate of await recheck(of, found, countDifference))
        if (candidates.length < MAX_CANDIDATES) candidates.push(candidate);
        else tally.inconclusive++;
    }
  }

  let undecided: readonly Candidate[] = candidates;
  let polls = MAX_LIVE_POLLS;
  for (let round = 1; round <= MAX_ROUNDS && undecided.length > 0; round++) {
    await catchUp();
    const wanted = await partitionProgress(documents, fresh);
    for (; polls > 0 && !(await hasFolded(documents, live, wanted)); polls--)
      await sleep(LIVE_POLL_MS, signal);
    signal.throwIfAborted();
    undecided = await (round < MAX_ROUNDS ? recheck : decide)(of, undecided, countDifference);
  }
  tally.inconclusive += undecided.length;
  return tally;
}

/** Whether a generation has folded so much of each partition. */
async function hasFolded(documents: Documents, generation: Generation, wanted: Progress): Promise<boolean> {
  const reached = await partitionProgress(documents, generation);
  return [...wanted].every(([partition, { seen }]) => seenIn(reached, partition) >= seen);
}

/** Ids of documents that may differ: some of them are only serialised differently. */
function mismatches({ documents, live, fresh }: Generations, collection: string): AsyncIterable<Mismatch> {
  const [left, right] = [live, fresh].map(({ generation }) => physicalName(collection, generation));
  return documents.diff?.(left!, right!) ?? scanned(documents, left!, right!);
}

async function* scanned(documents: Documents, left: string, right: string): AsyncIterable<Mismatch> {
  const [lefts, rights] = [left, right].map(name => documents.scan<Document>(name, { limit: PAGE }));
  for await (const pair of mergeJoin(lefts!, rights!))
    yield { ids: isDeepStrictEqual(pair.left, pair.right) ? [] : [pair.id], documents: pair.right ? 1 : 0 };
}

/** @returns those that have changed again */
async function recheck(
  of: Generations,
  candidates: readonly Candidate[],
  differs: Differs,
): Promise<Candidate[]> {
  const remaining: Candidate[] = [];
  for (const candidate of candidates) {
    const pair = await read(of, candidate);
    if (isDeepStrictEqual(pair.left, pair.right)) continue;
    if (isCertain(pair)) differs(candidate);
    else remaining.push(candidate);
  }
  return remaining;
}

/** Different although the same input changed both last. */
const isCertain = ({ left, right }: Pair): boolean =>
  left !== undefined && right !== undefined && lastSeenBy(left) === lastSeenBy(right);

/** The last round: a mismatch that no pending input can explain is a difference. @returns the others */
async function decide(
  of: Generations,
  candidates: readonly Candidate[],
  differs: Differs,
): Promise<Candidate[]> {
  const { documents, live, fresh, catchUp } = of;
  const reached = await partitionProgress(documents, live);
  const folded = await partitionProgress(documents, fresh);
  const remaining: Candidate[] = [];
  const missing: { readonly candidate: Candidate; readonly seen: number }[] = [];
  for (const candidate of await recheck(of, candidates, differs)) {
    const pair = await read(of, candidate);
    if (isDeepStrictEqual(pair.left, pair.right)) continue;
    if (!isCaughtUp(pair, reached, folded)) remaining.push(candidate);
    else if (pair.left) differs(candidate);
    else missing.push({ candidate, seen: lastSeenBy(pair.right) });
  }
  // The live generation may have folded a deletion that the new one had not.
  if (missing.length > 0) await catchUp();
  for (const { candidate, seen } of missing) {
    const { right } = await read(of, candidate);
    if (lastSeenBy(right) === seen) differs(candidate);
    else remaining.push(candidate);
  }
  return remaining;
}

/**
 * Whether both generations have folded, in the document's partition, the last input of either side; and the live one,
 * where the new one has no document any more, whatever may have deleted it.
 */
function isCaughtUp({ left, right }: Pair, reached: Progress, folded: Progress): boolean {
  const partition = partitionOf(left ?? right);
  const [inLive, inFresh] = [seenIn(reached, partition), seenIn(folded, partition)];
  const last = Math.max(lastSeenBy(left), lastSeenBy(right));
  return last <= Math.min(inLive, inFresh) && (right !== undefined || inFresh <= inLive);
}

type Progress = ReadonlyMap<string, PartitionProgress>;

const seenIn = (progress: Progress, partition: string): number => progress.get(partition)?.seen ?? -1;

async function read({ documents, live, fresh }: Generations, { collection, id }: Candidate): Promise<Pair> {
  const left = await documents.get(physicalName(collection, live.generation), id);
  const right = await documents.get(physicalName(collection, fresh.generation), id);
  return { id, left: left ?? undefined, right: right ?? undefined };
}
