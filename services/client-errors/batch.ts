import { isDeepStrictEqual } from 'node:util';
import { hasShareLeft } from '../../contracts/bound';
import type { Documents, Write } from '../../contracts/ports/documents';
import { addCounts, addVersions, type Counted, type VersionCount } from './counts';
import {
  ALL_ERASED,
  erasureId,
  ERRORS,
  OTHER,
  STATE,
  stateWrite,
  writerId,
  sampleOf,
  type ErrorDocument,
  type FirstSample,
  type Sample,
  type StateDocument,
} from './documents';

/** Reports of one error in one process, since its last batch. */
export interface PendingError extends Counted {
  readonly fingerprint: string;
  /** That was the first to report it. */
  readonly source: string;
  /** Of the last report. */
  readonly sample: Sample;
  readonly first: FirstSample;
  readonly versions: readonly VersionCount[];
}

export interface Batch {
  /** Of the process. */
  readonly number: number;
  readonly errors: readonly PendingError[];
  /** Reports that were counted without their fingerprint; null without any. */
  readonly other: Counted | null;
}

/**
 * What adds a batch to the documents as they are: nothing when they have it. An engine may fail after it has written.
 * @param maxErrors reports of further errors are counted together
 */
export async function batchWrites(
  documents: Documents,
  maxErrors: number,
  process: string,
  { number, errors, other }: Batch,
): Promise<readonly Write[]> {
  const fingerprints = errors.map(({ fingerprint }) => fingerprint);
  const states = await documents.getMany<StateDocument>(STATE.name, [
    OTHER,
    ALL_ERASED,
    writerId(process),
    ...fingerprints.map(erasureId),
  ]);
  if ((states.get(writerId(process))?.number ?? 0) >= number) return [];
  const stored = await documents.getMany<ErrorDocument>(ERRORS.name, fingerprints);
  const places = await countPlaces(documents, maxErrors, new Set(errors.map(({ source }) => source)));
  const isErased = ({ firstAt }: Counted, ...erasures: readonly string[]): boolean =>
    [ALL_ERASED, ...erasures].some(id => firstAt <= (states.get(id)?.at ?? ''));

  const writes: Write[] = [];
  let others = other && !isErased(other) ? other : null;
  for (const error of errors) {
    const existing = stored.get(error.fingerprint);
    if (isErased(error, erasureId(error.fingerprint))) continue;
    if (existing || places.take(error.source)) writes.push(errorWrite(existing, error));
    else others = others ? addCounts(others, error) : error;
  }
  if (others) {
    const { count = 0, firstAt = others.firstAt } = states.get(OTHER) ?? {};
    writes.push(stateWrite(OTHER, { count: count + others.count, firstAt, at: others.lastAt }));
  }
  const at = [...errors, ...(other ? [other] : [])]
    .map(({ lastAt }) => lastAt)
    .sort()
    .at(-1)!;
  return [...writes, stateWrite(writerId(process), { number, at })];
}

/** The places for errors as they are; `take` is false when a source has no share left. */
async function countPlaces(documents: Documents, max: number, sources: ReadonlySet<string>) {
  let all = await documents.count(ERRORS.name);
  const taken = new Map<string, number>();
  for (const source of sources) taken.set(source, await documents.count(ERRORS.name, { source }));
  return {
    take(source: string): boolean {
      const own = taken.get(source)!;
      if (!hasShareLeft(max, all, own)) return false;
      all += 1;
      taken.set(source, own + 1);
      return true;
    },
  };
}

function errorWrite(existing: ErrorDocument | undefined, error: PendingError): Write {
  const { fingerprint, source, versions, count, firstAt, lastAt } = error;
  const counted = existing ? addCounts(existing, error) : { count, firstAt, lastAt };
  const last = sampleOf(existing && existing.lastAt > lastAt ? existing : error.sample);
  // Anybody may report an error that is known, with a stack and data of their own: that replaces the last report, not the first.
  const first = existing ? (existing.first ?? { at: existing.lastAt, ...sampleOf(existing) }) : error.first;
  const document = {
    _id: fingerprint,
    source: existing ? (existing.source ?? null) : source,
    ...counted,
    ...last,
    first: isDeepStrictEqual(sampleOf(first), last) ? null : first,
    versions: addVersions(existing?.versions ?? [], versions),
  };
  return { collection: ERRORS.name, id: fingerprint, document: document as unknown as ErrorDocument };
}
