import { CheckpointMoved, type Document, type Documents, type Write } from '../../contracts/ports/documents';
import { batchWrites, type Batch } from './batch';
import type { Counted, VersionCount } from './counts';
import {
  ALL_ERASED,
  erasureId,
  ERRORS,
  OTHER,
  STATE,
  stateWrite,
  type ErrorDocument,
  type FirstSample,
  type Sample,
  type StateDocument,
} from './documents';

/** Moved by every change, so that none is lost to a concurrent one. */
const CHECKPOINT = 'client_errors';
const PAGE = 500;

export interface ClientError extends Counted, Sample {
  readonly fingerprint: string;
  readonly versions: readonly VersionCount[];
  /** The first of the reports that are stored; null where the last says the same. */
  readonly first: FirstSample | null;
}

/** Counted errors of wallets, in documents that are physically erased. */
export interface ClientErrorStore {
  /** Adds a batch. Once, however often it is called with the same one: an engine may fail after it has written. */
  add(process: string, batch: Batch): Promise<void>;
  /** The errors reported most, and what was counted without a fingerprint. */
  list(limit: number): Promise<{ readonly errors: readonly ClientError[]; readonly other: number }>;
  /** How many there are. */
  size(): Promise<number>;
  /** Erases errors, null: all, also what processes have counted of them and not stored yet. @returns how many were stored */
  erase(fingerprints: readonly string[] | null, at: string): Promise<number>;
  /** Erases what was last reported before an instant, and first reports of before. @returns how many errors */
  expire(before: string): Promise<number>;
}

/** @param maxErrors reports of further ones are counted together */
export async function openClientErrors(documents: Documents, maxErrors: number): Promise<ClientErrorStore> {
  await documents.declare([ERRORS, STATE]);

  /** Writes what is decided on the documents as they are, again when they have changed meanwhile. */
  const change = async <Result>(
    decide: () => Promise<{ readonly writes: readonly Write[]; readonly result: Result }>,
  ): Promise<Result> => {
    for (;;) {
      const expect = await documents.checkpoint(CHECKPOINT);
      const { writes, result } = await decide();
      if (writes.length === 0) return result;
      const position = (expect && 'position' in expect ? expect.position : 0) + 1;
      try {
        await documents.commit({ writes, checkpoint: { name: CHECKPOINT, value: { position }, expect } });
        return result;
      } catch (error) {
        if (!(error instanceof CheckpointMoved)) throw error;
      }
    }
  };

  const erasePage = (found: readonly Document[], more: readonly Write[] = []) => ({
    writes: [...found.map(({ _id }) => ({ collection: ERRORS.name, id: _id, document: null })), ...more],
    result: found.length,
  });

  const inPages = async (erase: () => Promise<number>): Promise<number> => {
    for (let erased = 0; ;) {
      const found = await erase();
      erased += found;
      if (found < PAGE) return erased;
    }
  };

  return {
    add: (process, batch) =>
      change(async () => ({
        writes: await batchWrites(documents, maxErrors, process, batch),
        result: undefined,
      })),

    async list(limit) {
      const { documents: found } = await documents.find<ErrorDocument>(ERRORS.name, {
        order: [['count', 'desc']],
        limit,
      });
      const other = await documents.get<StateDocument>(STATE.name, OTHER);
      return {
        errors: found.map(({ _id, source: _, first = null, ...error }) => ({
          fingerprint: _id,
          ...error,
          first,
        })),
        other: other?.count ?? 0,
      };
    },

    size: () => documents.count(ERRORS.name),

    async erase(fingerprints, at) {
      if (fingerprints === null)
        return inPages(() =>
          change(async () => {
            const page = await documents.find(ERRORS.name, { limit: PAGE });
            const together = { collection: STATE.name, id: OTHER, document: null };
            return erasePage(page.documents, [stateWrite(ALL_ERASED, { at }), together]);
          }),
        );
      return change(async () =>
        erasePage(
          [...(await documents.getMany(ERRORS.name, fingerprints)).values()],
          [...new Set(fingerprints)].map(fingerprint => stateWrite(erasureId(fingerprint), { at })),
        ),
      );
    },

    async expire(before) {
      const old = (collection: string, field: string) =>
        documents.find(collection, {
          filter: { [field]: { lt: before } },
          order: [[field, 'asc']],
          limit: PAGE,
        });
      await inPages(() =>
        change(async () => {
          const found = (await old(ERRORS.name, 'first.at')).documents;
          const writes = found.map(error => {
            return { collection: ERRORS.name, id: error._id, document: { ...error, first: null } };
          });
          return { writes, result: found.length };
        }),
      );
      return inPages(() =>
        change(async () => {
          const states = (await old(STATE.name, 'at')).documents;
          return erasePage(
            (await old(ERRORS.name, 'lastAt')).documents,
            states.map(({ _id }) => ({ collection: STATE.name, id: _id, document: null })),
          );
        }),
      );
    },
  };
}
