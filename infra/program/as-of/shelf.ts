import { stat } from 'node:fs/promises';
import type { Position } from '../../../contracts/position';
import { AsOfNotReady } from '../../../projections/as-of/port';
import type { Mark } from '../../../projections/as-of/timeline';
import type { Documents } from '../../../contracts/ports/documents';
import { openSqliteDocuments } from '../../engines/documents/sqlite/sqlite-documents';
import { writeLabel } from './label';
import {
  copy,
  documentsOf,
  labelOf,
  newPath,
  remove,
  tidyUp,
  type Found,
  type SnapshotPath,
} from './snapshot-files';

/** Documents of the ledger as of a mark; they never change. */
export interface Snapshot {
  readonly path: SnapshotPath;
  readonly mark: Mark;
  readonly bytes: number;
}

export interface Limits {
  /** Snapshots that are kept, and the bytes that they may take together. The one used last is kept however large it is. */
  readonly files: number;
  readonly bytes: number;
}

/** The snapshots that there are, in a folder of our own; those not used for the longest make room for others. */
export interface Shelf {
  all(): readonly Snapshot[];
  /** The nearest at or before the position. */
  nearest(position: Position): Snapshot | null;
  /** Reads in a snapshot, which stays until it is through. */
  use<Result>(snapshot: Snapshot, read: (documents: Documents) => Promise<Result>): Promise<Result>;
  /**
   * Makes one: `fill` is given the file of its documents, which is a copy of the base, or not there yet, and has closed it
   * when it resolves. What is half filled when it throws is removed.
   */
  add(mark: Mark, base: Snapshot | null, fill: (file: string) => Promise<void>): Promise<Snapshot>;
  drop(snapshot: Snapshot): Promise<void>;
  /** Once nobody reads any more. */
  close(): Promise<void>;
}

/** Open at a time although nobody reads in them. */
const MOST_IDLE = 2;

interface Place extends Snapshot {
  /** Grows from use to use. */
  lastUse: number;
  readers: number;
  documents: Documents | null;
}

export async function openShelf(folder: string, models: string, limits: Limits): Promise<Shelf> {
  const oldestFirst = (await tidyUp(folder, models)).sort((a, b) => a.builtAt - b.builtAt);
  let uses = 0;
  const place = ({ path, label, bytes }: Omit<Found, 'builtAt'>): Place => ({
    path,
    mark: label.mark,
    bytes,
    lastUse: ++uses,
    readers: 0,
    documents: null,
  });
  const places = new Map<SnapshotPath, Place>();
  for (const found of oldestFirst) places.set(found.path, place(found));

  const close = async (one: Place): Promise<void> => {
    const { documents } = one;
    one.documents = null;
    await documents?.close();
  };

  const drop = async ({ path }: Snapshot): Promise<void> => {
    const one = places.get(path);
    if (!one) return;
    places.delete(path);
    await close(one);
    await remove(path);
  };

  /** The one used last is not among them: whoever had it built has yet to read in it. */
  const longestUnused = (): Place[] =>
    [...places.values()]
      .filter(({ readers, lastUse }) => readers === 0 && lastUse !== uses)
      .sort((a, b) => a.lastUse - b.lastUse);

  const isTooMuch = (): boolean => {
    const bytes = [...places.values()].reduce((sum, each) => sum + each.bytes, 0);
    return places.size > limits.files || bytes > limits.bytes;
  };

  /** Looks anew after each step, since others go on reading meanwhile. */
  const makeRoom = async (): Promise<void> => {
    for (let [oldest] = longestUnused(); oldest && isTooMuch(); [oldest] = longestUnused())
      await drop(oldest);
    const idle = (): Place[] => longestUnused().filter(({ documents }) => documents);
    while (idle().length > MOST_IDLE) await close(idle()[0]!);
  };

  const hold = async <Result>(one: Place, work: () => Promise<Result>): Promise<Result> => {
    one.readers++;
    try {
      return await work();
    } finally {
      one.readers--;
    }
  };

  const placeOf = ({ path }: Snapshot): Place => {
    const one = places.get(path);
    if (!one) throw new AsOfNotReady('it was removed just now');
    return one;
  };

  return {
    all: () => [...places.values()],

    nearest: position =>
      [...places.values()]
        .filter(({ mark }) => mark.position <= position)
        .sort((a, b) => b.mark.position - a.mark.position)[0] ?? null,

    async use(snapshot, read) {
      const one = placeOf(snapshot);
      one.lastUse = ++uses;
      try {
        return await hold(one, () =>
          read((one.documents ??= openSqliteDocuments({ path: documentsOf(one.path) }))),
        );
      } finally {
        await makeRoom();
      }
    },

    async add(mark, base, fill) {
      const path = newPath(folder, mark.position);
      try {
        if (base) await hold(placeOf(base), () => copy(base.path, path));
        await fill(documentsOf(path));
        const label = { mark, models };
        await writeLabel(labelOf(path), label);
        const { size } = await stat(documentsOf(path));
        const one = place({ path, label, bytes: size });
        places.set(path, one);
        await makeRoom();
        return one;
      } catch (error) {
        await remove(path);
        throw error;
      }
    },

    drop,

    async close() {
      for (const one of places.values()) await close(one);
    },
  };
}
