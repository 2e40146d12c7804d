import { isDeepStrictEqual } from 'node:util';
import type { Document, Documents, Mismatch } from '../../contracts/ports/documents';
import { physicalName, partitionProgress, type Generation, type PartitionProgress } from './generation';
import { mergeJoin, type Pair } from './merge-join';
import { partitionOf, lastSeenBy } from './stored-document';

/** Result of a comparison of two generations of the same version. */
export interface Comparison {
  /** Documents in the new generation. */
  readonly documents: number;
  /** Documents whose content differs although both generations folded the same inputs. */
  readonly different: number;
  /** Documents that changed too often during the comparison. */
  readonly inconclusive: number;
  /** `collection/id` of some different ones. */
  readonly examples: readonly string[];
}

/** Documents that are compared again because they may have changed between the two reads. */
const MAX_CANDIDATES = 10_000;
const MAX_ROUNDS = 5;
const MAX_EXAMPLES = 10;
const PAGE = 500;

interface Candidate {
  readonly collection: string;
  readonly id: string;
}

/**
 * Compares every document of two generations while both are still changing. A document carries the last input that
 * changed it, so two that carry the same input must be equal. The others are compared again after `catchUp`.
 */
export async function compare(
  documents: Documents,
  live: Generation,
  fresh: Generation,
  catchUp: () => Promise<void>,
  signal: AbortSignal,
): Promise<Comparison> {
  const tally = { documents: 0, different: 0, inconclusive: 0, examples: [] as string[] };
  const countDifference = ({ collection, id }: Candidate): void => {
    tally.different++;
    if (tally.examples.length < MAX_EXAMPLES) tally.examples.push(`${collection}/${id}`);
  };

  const candidates: Candidate[] = [];
  for (const collection of live.collections) {
    for await (const { ids, documents: compared } of mismatches(documents, live, fresh, collection)) {
      signal.throwIfAborted();
      tally.documents += compared;
      const found = ids.map(id => ({ collection, id }));
      for (const candidate of await recheck(documents, live, fresh, found, false, countDifference))
        if (candidates.length < MAX_CANDIDATES) candidates.push(candidate);
        else tally.inconclusive++;
    }
  }

  let undecided: readonly Candidate[] = candidates;
  for (let round = 1; round <= MAX_ROUNDS && undecided.length > 0; round++) {
    signal.throwIfAborted();
    await catchUp();
    undecided = await recheck(documents, live, fresh, undecided, round === MAX_ROUNDS, countDifference);
  }
  tally.inconclusive += undecided.length;
  return tally;
}

/** Ids of documents that may differ: some of them are only serialised differently. */
function mismatches(
  documents: Documents,
  live: Generation,
  fresh: Generation,
  collection: string,
): AsyncIterable<Mismatch> {
  const [left, right] = [live, fresh].map(({ generation }) => physicalName(collection, generation));
  return documents.diff?.(left!, right!) ?? scanned(documents, left!, right!);
}

async function* scanned(documents: Documents, left: string, right: string): AsyncIterable<Mismatch> {
  const [lefts, rights] = [left, right].map(name => documents.scan<Document>(name, { limit: PAGE }));
  for await (const pair of mergeJoin(lefts!, rights!))
    yield { ids: isDeepStrictEqual(pair.left, pair.right) ? [] : [pair.id], documents: pair.right ? 1 : 0 };
}

/** @returns those that have changed again. In the last round a mismatch that no pending input can explain is a difference. */
async function recheck(
  documents: Documents,
  live: Generation,
  fresh: Generation,
  candidates: readonly Candidate[],
  last: boolean,
  differs: (candidate: Candidate) => void,
): Promise<Candidate[]> {
  if (candidates.length === 0) return [];
  const progresses = [await partitionProgress(documents, live), await partitionProgress(documents, fresh)];
  const remaining: Candidate[] = [];
  for (const candidate of candidates) {
    const pair = await read(documents, live, fresh, candidate);
    if (isDeepStrictEqual(pair.left, pair.right)) continue;
    if (isCertain(pair) || (last && isCaughtUp(pair, progresses))) differs(candidate);
    else remaining.push(candidate);
  }
  return remaining;
}

/** Different although the same input changed both last. */
const isCertain = ({ left, right }: Pair): boolean =>
  left !== undefined && right !== undefined && lastSeenBy(left) === lastSeenBy(right);

/** Whether both generations have folded, in the document's partition, the last input of either side. */
const isCaughtUp = ({ left, right }: Pair, progresses: readonly Map<string, PartitionProgress>[]): boolean =>
  [left, right].every(document =>
    progresses.every(progress => lastSeenBy(document) <= (progress.get(partitionOf(document))?.seen ?? -1)),
  );

async function read(
  documents: Documents,
  live: Generation,
  fresh: Generation,
  { collection, id }: Candidate,
): Promise<Pair> {
  const left = await documents.get(physicalName(collection, live.generation), id);
  const right = await documents.get(physicalName(collection, fresh.generation), id);
  return { id, left: left ?? undefined, right: right ?? undefined };
}
