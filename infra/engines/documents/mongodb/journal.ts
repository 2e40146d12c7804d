import type { Collection, Db } from 'mongodb';
import type { DuplicateKey } from '../../../../contracts/ports/documents';
import { apply } from './apply';
import { isDuplicate } from './errors';
import type { Intent, Operation } from './intent';
import { CHECKPOINTS, COMMITS, PARTS } from './layout';

/** A checkpoint: as long as it has an intent, the commit that moves it is decided and not yet done. */
export interface Lane {
  readonly _id: string;
  /** Counts the commits; each expects the one before it. */
  readonly revision: number;
  /** As JSON; null before the first commit under this name is done. */
  readonly value: string | null;
  readonly intent?: Intent;
}

/** Where an intent lies: with its checkpoint or, where a commit has none, by its number. */
export type Place = { readonly lane: string } | { readonly commit: number };

/** An intent of no checkpoint. Without one, the place is taken so that an insert still on its way fails. */
interface Loose {
  readonly _id: number;
  readonly at: Date;
  readonly intent?: Intent;
}

interface Part {
  readonly _id: string;
  readonly at: Date;
  readonly operations: readonly Operation[];
}

/** Where commits are written down before they are done, and found again by who has to finish them. */
export interface Journal {
  /** Of its intent, only the number. */
  lane(name: string): Promise<Lane | null>;
  /** Further operations of an intent. Before it is decided. */
  storeParts(n: number, parts: readonly (readonly Operation[])[]): Promise<void>;
  /** From here on the commit will happen. False when another commit has moved the lane. */
  decide(name: string, found: Lane | null, next: Partial<Lane>): Promise<boolean>;
  decideLoose(intent: Intent): Promise<void>;
  /** Does it, and forgets it. */
  perform(
    place: Place,
    intent: Intent,
    operations: readonly Operation[],
    helped: boolean,
  ): Promise<DuplicateKey | null>;
  /** Finishes the commit of a place if it was decided; otherwise it never will be. */
  finish(place: Place): Promise<void>;
  /** All places with an intent. */
  open(): Promise<readonly { readonly place: Place; readonly n: number }[]>;
  /** Removes what commits left that died before they were decided. */
  sweep(before: Date): Promise<void>;
}

const partIds = ({ n, parts }: Intent): string[] => Array.from({ length: parts }, (_, i) => `${n}/${i + 1}`);

/** @param announce tells that commits to these collections were done */
export function openJournal(db: Db, announce: (collections: readonly string[]) => void): Journal {
  const lanes: Collection<Lane> = db.collection(CHECKPOINTS);
  const loose: Collection<Loose> = db.collection(COMMITS);
  const parts: Collection<Part> = db.collection(PARTS);

  const intentAt = async (place: Place): Promise<Intent | undefined> =>
    'lane' in place
      ? (await lanes.findOne({ _id: place.lane }))?.intent
      : (await loose.findOne({ _id: place.commit }))?.intent;

  const forget = async (place: Place, intent: Intent): Promise<void> => {
    const { n, value } = intent;
    if ('commit' in place) await loose.deleteOne({ _id: n });
    else
      await lanes.updateOne({ _id: place.lane, 'intent.n': n }, { $set: { value }, $unset: { intent: '' } });
    if (intent.parts > 0) await parts.deleteMany({ _id: { $in: partIds(intent) } });
    announce(intent.collections);
  };

  /** Null when somebody else has finished it meanwhile. */
  const operationsOf = async (intent: Intent): Promise<readonly Operation[] | null> => {
    const found = await parts.find({ _id: { $in: partIds(intent) } }).toArray();
    if (found.length < intent.parts) return null;
    const byId = new Map(found.map(part => [part._id, part.operations]));
    return [intent.operations, ...partIds(intent).map(id => byId.get(id)!)].flat();
  };

  /** Takes the place, so that its intent cannot come later. */
  const preclude = async (n: number): Promise<void> => {
    try {
      await loose.insertOne({ _id: n, at: new Date() });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  };

  const journal: Journal = {
    lane: name => lanes.findOne({ _id: name }, { projection: { revision: 1, value: 1, 'intent.n': 1 } }),
    storeParts: async (n, further) => {
      const at = new Date();
      for (const [i, operations] of further.entries())
        await parts.insertOne({ _id: `${n}/${i + 1}`, at, operations });
    },
    decide: async (name, found, next) => {
      if (found) {
        const { _id, revision } = found;
        const moved = await lanes.updateOne(
          { _id, revision, intent: { $exists: false } },
          { $set: { ...next, revision: revision + 1 } },
        );
        return moved.matchedCount === 1;
      }
      try {
        await lanes.insertOne({ _id: name, revision: 1, value: null, ...next });
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return false;
      }
    },
    decideLoose: async intent => {
      await loose.insertOne({ _id: intent.n, at: new Date(), intent });
    },
    perform: async (place, intent, operations, helped) => {
      const refused = await apply(db, intent, operations, helped);
      await forget(place, intent);
      return refused;
    },
    finish: async place => {
      if ('commit' in place) await preclude(place.commit);
      const intent = await intentAt(place);
      const operations = intent && (await operationsOf(intent));
      if (operations) await journal.perform(place, intent, operations, true);
    },
    open: async () => {
      const projection = { 'intent.n': 1 };
      const there = { 'intent.n': { $exists: true } };
      const ofLanes = await lanes.find(there, { projection }).toArray();
      const others = await loose.find(there, { projection }).toArray();
      return [
        ...ofLanes.map(({ _id, intent }) => ({ place: { lane: _id }, n: intent!.n })),
        ...others.map(({ _id }) => ({ place: { commit: _id }, n: _id })),
      ];
    },
    sweep: async before => {
      await parts.deleteMany({ at: { $lt: before } });
      await loose.deleteMany({ at: { $lt: before }, intent: { $exists: false } });
    },
  };
  return journal;
}
