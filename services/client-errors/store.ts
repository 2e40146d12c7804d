import {
  CheckpointMoved,
  type CollectionSpec,
  type Document,
  type Documents,
  type Write,
} from '../../contracts/ports/documents';
import type { ScrubbedReport } from './report';

/** Errors by fingerprint. Not a projection: they cannot be rebuilt. */
const ERRORS: CollectionSpec = {
  name: 'client_errors',
  indexes: [{ fields: [['count', 'desc']] }, { fields: [['lastAt', 'asc']] }],
  counts: [[]],
};
/** What was counted without a fingerprint, the last batch of each process, and erasures. */
const STATE: CollectionSpec = { name: 'client_error_state', indexes: [{ fields: [['at', 'asc']] }] };

/** Moved by every change, so that none is lost to a concurrent one. */
const CHECKPOINT = 'client_errors';
const OTHER = 'other';
const ALL = 'erased/all';
const writerId = (process: string): string => `writer/${process}`;
const erasureId = (fingerprint: string): string => `erased/${fingerprint}`;

/** Versions of the application that an error is counted for by name. */
const MAX_VERSIONS = 20;
const PAGE = 500;

/** Reports of one error. Instants are RFC 3339 UTC with milliseconds. */
export interface Counted {
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

interface VersionCount {
  /** Null in both: not named, or of the versions beyond those that are counted. */
  readonly platform: string | null;
  readonly appVersion: string | null;
  readonly count: number;
}

type Sample = Pick<ScrubbedReport, 'message' | 'stack' | 'url' | 'data'>;

/** Reports of one error in one process, since its last batch. */
export interface PendingError extends Counted {
  readonly fingerprint: string;
  /** Of the last report. */
  readonly sample: Sample;
  readonly versions: readonly VersionCount[];
}

export interface Batch {
  /** Of the process. */
  readonly number: number;
  readonly errors: readonly PendingError[];
  /** Reports that were counted without their fingerprint; null without any. */
  readonly other: Counted | null;
}

export interface ClientError extends Counted, Sample {
  readonly fingerprint: string;
  readonly versions: readonly VersionCount[];
}

type ErrorDocument = Document & Counted & Sample & { readonly versions: VersionCount[] };
type StateDocument = Document & {
  readonly at: string;
  readonly number?: number;
  readonly count?: number;
  readonly firstAt?: string;
};

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
  /** Erases what was last reported before an instant. @returns how many errors */
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

  const state = (id: string, document: Omit<StateDocument, '_id'>): Write => ({
    collection: STATE.name,
    id,
    document: { _id: id, ...document } as StateDocument,
  });

  const decideBatch = async (
    process: string,
    { number, errors, other }: Batch,
  ): Promise<readonly Write[]> => {
    const fingerprints = errors.map(({ fingerprint }) => fingerprint);
    const states = await documents.getMany<StateDocument>(STATE.name, [
      OTHER,
      ALL,
      writerId(process),
      ...fingerprints.map(erasureId),
    ]);
    if ((states.get(writerId(process))?.number ?? 0) >= number) return [];
    const stored = await documents.getMany<ErrorDocument>(ERRORS.name, fingerprints);
    let free = maxErrors - (await documents.count(ERRORS.name));
    const erasedAt = (fingerprint: string): string =>
      [ALL, erasureId(fingerprint)]
        .map(id => states.get(id)?.at ?? '')
        .sort()
        .at(-1)!;

    const writes: Write[] = [];
    let others = other;
    for (const error of errors) {
      const existing = stored.get(error.fingerprint);
      if (error.firstAt <= erasedAt(error.fingerprint)) continue;
      if (existing || free > 0) writes.push(errorWrite(existing, error));
      else others = others ? addCounts(others, error) : error;
      if (!existing && free > 0) free -= 1;
    }
    if (others) {
      const { count = 0, firstAt = others.firstAt } = states.get(OTHER) ?? {};
      writes.push(state(OTHER, { count: count + others.count, firstAt, at: others.lastAt }));
    }
    const at = [...errors, ...(other ? [other] : [])]
      .map(({ lastAt }) => lastAt)
      .sort()
      .at(-1)!;
    return [...writes, state(writerId(process), { number, at })];
  };

  const erasePage = async (found: readonly Document[], more: readonly Write[] = []) => ({
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
      change(async () => ({ writes: await decideBatch(process, batch), result: undefined })),

    async list(limit) {
      const { documents: found } = await documents.find<ErrorDocument>(ERRORS.name, {
        order: [['count', 'desc']],
        limit,
      });
      const other = await documents.get<StateDocument>(STATE.name, OTHER);
      return {
        errors: found.map(({ _id, ...error }) => ({ fingerprint: _id, ...error })),
        other: other?.count ?? 0,
      };
    },

    size: () => documents.count(ERRORS.name),

    async erase(fingerprints, at) {
      if (fingerprints === null)
        return inPages(() =>
          change(async () => {
            const page = await documents.find(ERRORS.name, { limit: PAGE });
            return erasePage(page.documents, [state(ALL, { at })]);
          }),
        );
      return change(async () =>
        erasePage(
          [...(await documents.getMany(ERRORS.name, fingerprints)).values()],
          [...new Set(fingerprints)].map(fingerprint => state(erasureId(fingerprint), { at })),
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

/** Both together. */
export function addCounts(a: Counted, b: Counted): Counted {
  return {
    count: a.count + b.count,
    firstAt: a.firstAt < b.firstAt ? a.firstAt : b.firstAt,
    lastAt: a.lastAt > b.lastAt ? a.lastAt : b.lastAt,
  };
}

/** Counts of versions, added; those beyond the limit together. */
export function addVersions(a: readonly VersionCount[], b: readonly VersionCount[]): VersionCount[] {
  const sums = new Map<string, VersionCount>();
  for (const version of [...a, ...b]) {
    const { platform, appVersion } = version;
    const key = JSON.stringify([platform, appVersion]);
    const named = sums.has(key) || sums.size < MAX_VERSIONS;
    const at = named ? key : '';
    const sum = sums.get(at) ?? {
      platform: named ? platform : null,
      appVersion: named ? appVersion : null,
      count: 0,
    };
    sums.set(at, { ...sum, count: sum.count + version.count });
  }
  return [...sums.values()];
}

function errorWrite(existing: ErrorDocument | undefined, error: PendingError): Write {
  const { fingerprint, sample, versions, count, firstAt, lastAt } = error;
  const counted = existing ? addCounts(existing, error) : { count, firstAt, lastAt };
  // The last report replaces the one before: none is kept for longer than the retention.
  const { message, stack, url, data } = existing && existing.lastAt > lastAt ? existing : sample;
  const document = {
    _id: fingerprint,
    ...counted,
    message,
    stack,
    url,
    data,
    versions: addVersions(existing?.versions ?? [], versions),
  };
  return { collection: ERRORS.name, id: fingerprint, document: document as unknown as ErrorDocument };
}
