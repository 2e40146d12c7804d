import { isDeepStrictEqual } from 'node:util';
import type { Db } from 'mongodb';
import {
  type Checkpoint,
  CheckpointMoved,
  type Commit,
  type DuplicateKey,
} from '../../../../contracts/ports/documents';
import { checkWrites } from '../writes';
import { apply } from './apply';
import type { Catalog, Collection } from './catalog';
import { settled } from './help';
import { weigh } from './images';
import { type Intent, type Operation, operationsOf, partsOf, uniqueFields } from './intent';
import type { Journal, Lane, Place } from './journal';
import type { Sequence } from './sequence';

export interface Commits {
  commit(commit: Commit): Promise<void>;
  checkpoint(name: string): Promise<Checkpoint | null>;
  /** Finishes the commits of this client that failed half-way, if there are any. */
  recover(): Promise<void>;
}

const valueOf = (lane: Lane | null): Checkpoint | null =>
  lane && lane.value !== null ? (JSON.parse(lane.value) as Checkpoint) : null;

/**
 * Commits without transactions. What a commit will do is written down in one document with its checkpoint, and that
 * write decides whether it happens; from then on its writer, or whoever meets it later, carries it out to the end.
 */
export function createCommits(deps: {
  readonly db: Db;
  readonly catalog: Catalog;
  readonly journal: Journal;
  readonly sequence: Sequence;
  /** The lane in which this client counts what it commits without a checkpoint. */
  readonly ownLane: string;
  readonly announce: (collections: readonly string[]) => void;
}): Commits {
  const { db, catalog, journal, sequence, ownLane, announce } = deps;
  const unfinished = new Set<Place>();
  let last: Promise<unknown> = Promise.resolve();

  const recover = async (): Promise<void> => {
    for (const place of [...unfinished]) {
      await journal.finish(place);
      unfinished.delete(place);
    }
  };

  /** A commit that fails here may be decided, or will be once its last request arrives: that is to be settled first. */
  const carefully = async <Result>(place: Place, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      unfinished.add(place);
      throw error;
    }
  };

  const intentOf = async (
    operations: readonly Operation[],
    collections: ReadonlyMap<string, Collection>,
    lane: string,
    value: string | null,
  ): Promise<Intent> => {
    const tallies = await weigh(db, collections, operations, lane);
    const n = await sequence.next();
    const [first, ...further] = partsOf(operations);
    await journal.storeParts(n, further);
    return {
      n,
      value,
      operations: first!,
      parts: further.length,
      tallies,
      inOrder: [...collections.values()]
        .filter(spec => uniqueFields(spec).length > 0)
        .map(({ name }) => name),
      collections: [...collections.keys()],
    };
  };

  const commitInLane = async ({ writes, checkpoint }: Required<Commit>): Promise<DuplicateKey | null> => {
    const { name, expect } = checkpoint;
    const value = JSON.stringify(checkpoint.value);
    for (;;) {
      const declared = catalog.fresh(new Set(writes.map(({ collection }) => collection)));
      // The checkpoint speaks first: of a generation that was given up, the collections are gone, too.
      declared.catch(() => undefined);
      const lane = await settled(journal, name);
      if (expect !== undefined && !isDeepStrictEqual(valueOf(lane), expect)) throw new CheckpointMoved(name);
      const collections = await declared;
      if (writes.length === 0) {
        if (await journal.decide(name, lane, { value })) return null;
        continue;
      }
      const operations = operationsOf(writes, collections);
      const intent = await intentOf(operations, collections, name, value);
      const place = { lane: name };
      const done = await carefully(place, async () => {
        const decided = await journal.decide(name, lane, { intent });
        return decided ? { refused: await journal.perform(place, intent, operations, false) } : null;
      });
      if (done) return done.refused;
    }
  };

  /** One at a time, since what they count is counted in one lane. */
  const commitLoose = ({ writes }: Commit): Promise<DuplicateKey | null> => {
    const turn = last.then(async () => {
      await recover();
      const collections = await catalog.fresh(new Set(writes.map(({ collection }) => collection)));
      const operations = operationsOf(writes, collections);
      const intent = await intentOf(operations, collections, ownLane, null);
      // One document is written at once or not at all.
      if (operations.length === 1 && intent.tallies.length === 0) {
        const refused = await apply(db, intent, operations, false);
        announce(intent.collections);
        return refused;
      }
      const place = { commit: intent.n };
      return carefully(place, async () => {
        await journal.decideLoose(intent);
        return journal.perform(place, intent, operations, false);
      });
    });
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    recover,
    commit: async ({ writes, checkpoint }) => {
      checkWrites(writes);
      await recover();
      if (!checkpoint && writes.length === 0) return;
      const refused = await (checkpoint ? commitInLane({ writes, checkpoint }) : commitLoose({ writes }));
      if (refused) throw refused;
    },
    checkpoint: async name => {
      await recover();
      return valueOf(await settled(journal, name));
    },
  };
}
