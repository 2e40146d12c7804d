import type { Json } from '../../contracts/json/json';
import {
  observationKey,
  observationQueue,
  type Clients,
  type Observation,
  type ObservationRecord,
} from '../../contracts/observation/observation';
import type { Observed } from '../../contracts/observation/reader';
import type { NewMessage } from '../../contracts/ports/log';
import type { AskedRead, SourceLimits } from './source-limits';

export interface ReadRecordDeps {
  readonly clients: Clients;
  readonly limits: SourceLimits;
  /** What is known of a subject; null before its first reading. */
  readonly last: (observation: Observation, subject: unknown) => Promise<Observed<unknown> | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Reads a subject once the limits of its source allow it.
 * @throws what the read throws, TooManyWaiting, and an error for data that are not as the observation says
 */
export async function readRecord(
  { clients, limits, last, now }: ReadRecordDeps,
  observation: Observation,
  subject: unknown,
  { caller, signal }: Pick<AskedRead, 'caller'> & { readonly signal: AbortSignal },
): Promise<ObservationRecord> {
  const { kind, source } = observation;
  const text = observation.subject.format(subject);
  const key = observationKey(kind, text);
  const read = await limits.run(
    source,
    observationQueue(source, subject),
    { key, caller, site: source.siteOf?.(subject), signal },
    async () => {
      // Taken before the read, so that an observation is never older than its instant.
      const at = new Date(now()).toISOString();
      const { height, data } = await observation.read(clients, subject, signal);
      return { at, height, data: observation.schema.parse(data) };
    },
  );
  // The log keeps the last record of a subject alone: it has what is left of those before.
  const older = observation.merge && (await last(observation, subject));
  const data = older ? observation.merge!(older, read) : read.data;
  const { height, at } = read;
  return { kind, subject: text, height, at, data: data as Json };
}

/** A record as it is published. */
export function recordMessage(record: ObservationRecord): NewMessage {
  const key = observationKey(record.kind, record.subject);
  return { key, value: Buffer.from(JSON.stringify(record)) };
}
