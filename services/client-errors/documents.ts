import type { CollectionSpec, Document, Write } from '../../contracts/ports/documents';
import type { Counted, VersionCount } from './counts';
import type { ScrubbedReport } from './report';

/** Errors by fingerprint. Not a projection: they cannot be rebuilt. */
export const ERRORS: CollectionSpec = {
  name: 'client_errors',
  indexes: [
    { fields: [['count', 'desc']] },
    { fields: [['lastAt', 'asc']] },
    { fields: [['first.at', 'asc']] },
  ],
  counts: [[], ['source']],
};
/** What was counted without a fingerprint, the last batch of each process, and erasures. */
export const STATE: CollectionSpec = { name: 'client_error_state', indexes: [{ fields: [['at', 'asc']] }] };

export const OTHER = 'other';
export const ALL_ERASED = 'erased/all';

/** The id of the state of a process: the number of its last batch. */
export function writerId(process: string): string {
  return `writer/${process}`;
}

/** The id of the state that says when an error was erased. */
export function erasureId(fingerprint: string): string {
  return `erased/${fingerprint}`;
}

/** What is stored of a report of an error. */
export type Sample = Pick<ScrubbedReport, 'message' | 'stack' | 'url' | 'data'>;

/** An earlier report, and when it was made. */
export type FirstSample = Sample & { readonly at: string };

/** The sample of a report alone. */
export function sampleOf({ message, stack, url, data }: Sample): Sample {
  return { message, stack, url, data };
}

/**
 * `source`: that was the first to report it. Errors that were stored without are nobody's. The sample is that of the last report; `first`
 * is the first of those that are not too old, null or absent where the last is the same.
 */
export type ErrorDocument = Document &
  Counted &
  Sample & {
    readonly versions: VersionCount[];
    readonly source?: string | null;
    readonly first?: FirstSample | null;
  };
/** `at`: of the last change. `number`: of the last batch of a process. The others: of what was counted together. */
export type StateDocument = Document & {
  readonly at: string;
  readonly number?: number;
  readonly count?: number;
  readonly firstAt?: string;
};

/** Writes a state document. */
export function stateWrite(id: string, document: Omit<StateDocument, '_id'>): Write {
  return { collection: STATE.name, id, document: { _id: id, ...document } as StateDocument };
}
