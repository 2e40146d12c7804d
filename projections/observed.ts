import { observationKey, OBSERVATIONS, type Observation } from '../contracts/chain/observation';
import type { Json } from '../contracts/json';
import type { Document } from '../contracts/ports/documents';
import type { LogMessage } from '../contracts/ports/log';
import type { LogProjection } from './projection';

/** The newest observation of a thing; the id is the subject. */
export type Observed<D> = Document & {
  readonly height: number | null;
  /** RFC 3339 instant of the read. */
  readonly at: string;
  readonly data: D & Json;
};

/** Keeps the newest observation of each subject of one kind: by height, and by instant where heights say nothing. */
export function observedProjection(definition: {
  readonly name: string;
  readonly version: number;
  readonly kind: string;
  readonly collection: string;
}): LogProjection {
  return {
    name: definition.name,
    version: definition.version,
    topics: [OBSERVATIONS],
    collections: [{ name: definition.collection, indexes: [] }],
    touches(input) {
      // The key says it all: a message need not be parsed to know that it is another's, nor twice to be folded.
      const prefix = observationKey(definition.kind, '');
      if (!input.key.startsWith(prefix)) return [];
      return [{ collection: definition.collection, id: input.key.slice(prefix.length) }];
    },
    fold(document, input, { id }) {
      const { height, at, data } = observation(input);
      const shown = document as Observed<Json> | null;
      return shown && !isNewer({ height, at }, shown) ? shown : { _id: id, height, at, data };
    },
  };
}

const observation = (input: LogMessage): Observation => JSON.parse(input.value.toString()) as Observation;

function isNewer(
  one: Pick<Observation, 'height' | 'at'>,
  other: Pick<Observation, 'height' | 'at'>,
): boolean {
  if (one.height !== null && other.height !== null && one.height !== other.height)
    return one.height > other.height;
  return one.at > other.at;
}
