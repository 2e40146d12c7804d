import { isDeepStrictEqual } from 'node:util';
import type { Document, Documents, Unlike } from '../../contracts/ports/documents';
import { physical, reachOf, type Generation, type Reach } from './generation';
import { pairs, type Pair } from './pairs';
import { laneOf, seenBy } from './stored';

/** What a comparison of two generations of the same version found. */
export interface Comparison {
  /** Documents in the new generation. */
  readonly documents: number;
  /** Documents whose content is not what the other generation has for the same inputs. */
  readonly different: number;
  /** Documents that changed too often meanwhile to be held side by side. */
  readonly unsettled: number;
  /** `collection/id` of some that are different. */
  readonly examples: readonly string[];
}

/** Documents that are looked at again because they may only have moved between the two reads. */
const MOST_SUSPECTS = 10_000;
const ROUNDS = 5;
const EXAMPLES = 10;
const PAGE = 500;

interface Suspect {
  readonly collection: string;
  readonly id: string;
}

/**
 * Holds every document of the live generation against the new one while both go on. A document carries the last input
 * that changed it, so two that carry the same must be the same. Those that do not are looked at again after the new
 * generation has caught up.
 */
export async function compare(
  documents: Documents,
  live: Generation,
  fresh: Generation,
  catchUp: () => Promise<void>,
  signal: AbortSignal,
): Promise<Comparison> {
  const tally = { documents: 0, different: 0, unsettled: 0, examples: [] as string[] };
  const differs = ({ collection, id }: Suspect): void => {
    tally.different++;
    if (tally.examples.length < EXAMPLES) tally.examples.push(`${collection}/${id}`);
  };

  const suspects: Suspect[] = [];
  for (const collection of live.collections) {
    for await (const { ids, documents: looked } of unlike(documents, live, fresh, collection)) {
      signal.throwIfAborted();
      tally.documents += looked;
      const named = ids.map(id => ({ collection, id }));
      for (const suspect of await lookAgain(documents, live, fresh, named, false, differs))
        if (suspects.length < MOST_SUSPECTS) suspects.push(suspect);
        else tally.unsettled++;
    }
  }

  let unsettled: readonly Suspect[] = suspects;
  for (let round = 1; round <= ROUNDS && unsettled.length > 0; round++) {
    signal.throwIfAborted();
    await catchUp();
    unsettled = await lookAgain(documents, live, fresh, unsettled, round === ROUNDS, differs);
  }
  tally.unsettled += unsettled.length;
  return tally;
}

/** Where documents may differ: those that do, and some that are only written differently. */
function unlike(
  documents: Documents,
  live: Generation,
  fresh: Generation,
  collection: string,
): AsyncIterable<Unlike> {
  const [left, right] = [live, fresh].map(({ generation }) => physical(collection, generation));
  return documents.differing?.(left!, right!) ?? scanned(documents, left!, right!);
}

async function* scanned(documents: Documents, left: string, right: string): AsyncIterable<Unlike> {
  const [lefts, rights] = [left, right].map(name => documents.scan<Document>(name, { limit: PAGE }));
  for await (const pair of pairs(lefts!, rights!))
    yield { ids: isDeepStrictEqual(pair.left, pair.right) ? [] : [pair.id], documents: pair.right ? 1 : 0 };
}

/** Answers those that have moved again. In the last round, what no input still on its way can explain is a difference. */
async function lookAgain(
  documents: Documents,
  live: Generation,
  fresh: Generation,
  suspects: readonly Suspect[],
  last: boolean,
  differs: (suspect: Suspect) => void,
): Promise<Suspect[]> {
  if (suspects.length === 0) return [];
  const reaches = [await reachOf(documents, live), await reachOf(documents, fresh)];
  const remaining: Suspect[] = [];
  for (const suspect of suspects) {
    const pair = await read(documents, live, fresh, suspect);
    if (isDeepStrictEqual(pair.left, pair.right)) continue;
    if (certain(pair) || (last && settled(pair, reaches))) differs(suspect);
    else remaining.push(suspect);
  }
  return remaining;
}

/** Not equal although the same input changed both last. */
const certain = ({ left, right }: Pair): boolean =>
  left !== undefined && right !== undefined && seenBy(left) === seenBy(right);

/** Whether both generations have folded, in the document's lane, all that made it what it is on either side. */
const settled = ({ left, right }: Pair, reaches: readonly Map<string, Reach>[]): boolean =>
  [left, right].every(document =>
    reaches.every(reach => seenBy(document) <= (reach.get(laneOf(document))?.seen ?? -1)),
  );

async function read(
  documents: Documents,
  live: Generation,
  fresh: Generation,
  { collection, id }: Suspect,
): Promise<Pair> {
  const left = await documents.get(physical(collection, live.generation), id);
  const right = await documents.get(physical(collection, fresh.generation), id);
  return { id, left: left ?? undefined, right: right ?? undefined };
}
