import {
  isNewer,
  observationKey,
  OBSERVATIONS_TOPIC,
  type Observation,
  type ObservationRecord,
} from '../../contracts/observation/observation';
import type { Observed } from '../../contracts/observation/reader';
import type { Json } from '../../contracts/json/json';
import type { Document, IndexSpec } from '../../contracts/ports/documents';
import type { LogMessage } from '../../contracts/ports/log';
import type { LogProjection } from '../projection';
import { readJson } from '../../contracts/json/read-json';

/** The newest observation of a subject, which is the id. */
export type ObservedDocument<Data = Json> = Document & Observed<Data & Json>;

/** The collection of the observations of a kind: `observed_solana_account`. */
export function observedCollection({ kind }: Pick<Observation, 'kind'>): string {
  return `observed_${kind.replaceAll('.', '_')}`;
}

/** From the subject that was observed least recently on. */
const BY_AGE: IndexSpec = { fields: [['at', 'asc']] };

/**
 * Keeps the newest observation of each subject, by height; by instant where heights are equal or missing. What the
 * observation merges is kept of the older one. A tombstone removes the subject.
 */
export function observationProjection(
  observation: Pick<Observation, 'kind' | 'merge' | 'ages' | 'changedBy'>,
): LogProjection {
  const collection = observedCollection(observation);
  const prefix = observationKey(observation.kind, '');
  return {
    name: `observed-${observation.kind.replaceAll('.', '-')}`,
    version: 1,
    topics: [OBSERVATIONS_TOPIC.name],
    collections: [{ name: collection, indexes: indexesOf(observation), counts: [[]] }],
    touches(input) {
      // By the key: the records of other kinds need not be parsed.
      if (!input.key.startsWith(prefix)) return [];
      return [{ collection, id: input.key.slice(prefix.length) }];
    },
    fold(document, input, { id }) {
      if (isTombstone(input)) return null;
      const { height, at, data } = recordOf(input);
      const current = document as ObservedDocument | null;
      if (!current) return { _id: id, height, at, data };
      if (!isNewer({ height, at }, current)) return current;
      if (!observation.merge) return { _id: id, height, at, data };
      return { _id: id, height, at, data: observation.merge(current, { height, data }) as Json };
    },
  };
}

function indexesOf({ ages, changedBy }: Pick<Observation, 'ages' | 'changedBy'>): IndexSpec[] {
  const byAccount: IndexSpec[] =
    changedBy && 'field' in changedBy ? [{ fields: [[`data.${changedBy.field}`, 'asc']] }] : [];
  return [...(ages ? [BY_AGE] : []), ...byAccount];
}

const isTombstone = ({ value }: LogMessage): boolean => value.length === 0;

const recordOf = ({ value }: LogMessage): ObservationRecord =>
  readJson(value.toString()) as ObservationRecord;
