import type { z } from 'zod';
import type { Json } from './json';
import type { SolanaNetwork, TonNetwork } from './network';
import type { Source } from './ports/documents';
import type { SolanaClient } from './ports/solana-client';
import type { TonClient } from './ports/ton-client';

/** What observations read with. */
export interface Clients {
  ton(network: TonNetwork): TonClient;
  solana(network: SolanaNetwork): SolanaClient;
}

/** Something outside that is read: a network, a partner's API. Its queues and limits are its own, so it delays no other. */
export interface ObservationSource<Subject = unknown> {
  readonly name: string;
  /** Parts that fail apart from each other, each with a queue and limits of its own; default: the source is one. */
  readonly networks?: readonly string[];
  /** The one of `networks` that a subject is read from. */
  networkOf?(subject: Subject): string;
  /** Reads at a time in one process; default 8. */
  readonly maxConcurrent?: number;
  /** Reads begun within a second in one process; default: no limit. */
  readonly maxPerSecond?: number;
}

/** How a subject is written in keys and ids. */
export interface SubjectFormat<Subject> {
  format(subject: Subject): string;
  /** @throws Error when the text is of another form */
  parse(text: string): Subject;
}

/** What was read: `height` is the seqno or slot that the source was at, null where it has none. */
export interface Reading<Data> {
  readonly height: number | null;
  readonly data: Data;
}

/**
 * Something that is read from outside and is neither a transaction nor a command: a balance, contract state, pool
 * parameters. From this one value follow the job, the record on the log, the projection, and the reader.
 */
export interface Observation<Subject = unknown, Data = unknown> {
  /** Such as `solana.account`; lower case, in words separated by dots. */
  readonly kind: string;
  readonly subject: SubjectFormat<Subject>;
  /** What is read is checked by it before it is published. */
  readonly schema: z.ZodType<Data>;
  readonly source: ObservationSource<NoInfer<Subject>>;
  /** A subject is not read again sooner than this after it was read. */
  readonly minAgeMs: number;
  /** Older than this it is refreshed behind the read that finds it. */
  readonly staleAfterMs: number;
  read(clients: Clients, subject: Subject, signal: AbortSignal): Promise<Reading<Data>>;
}

/** @throws Error when the kind is malformed, or would be stale before it may be read again */
export function defineObservation<Subject, Data>(
  observation: Observation<Subject, Data>,
): Observation<Subject, Data> {
  const { kind, minAgeMs, staleAfterMs } = observation;
  if (!/^[a-z0-9]+(\.[a-z0-9]+)*$/.test(kind)) throw new Error(`malformed kind of observation: ${kind}`);
  if (staleAfterMs < minAgeMs) throw new Error(`${kind} is stale before it may be read again`);
  return observation;
}

/** An observation as it is on the log, keyed by `observationKey`. */
export interface ObservationRecord {
  readonly kind: string;
  readonly subject: string;
  readonly height: number | null;
  /** RFC 3339 instant of the read. */
  readonly at: string;
  readonly data: Json;
}

/** One topic for all kinds; records of one subject replace each other. */
export const OBSERVATIONS = { name: 'observations', partitions: 8, cleanup: 'compact' } as const;

export function observationKey(kind: string, subject: string): string {
  return `${kind}/${subject}`;
}

/** The queues of a source, one for each of its networks. */
export function observationQueues({ name, networks }: ObservationSource): string[] {
  return networks ? networks.map(network => queueName(name, network)) : [queueName(name)];
}

/** The queue in which reads of a subject wait. */
export function observationQueue<Subject>(source: ObservationSource<Subject>, subject: Subject): string {
  return queueName(source.name, source.networkOf?.(subject));
}

const queueName = (source: string, network?: string): string =>
  network === undefined ? `observe-${source}` : `observe-${source}-${network}`;

/** The newest observation of a subject. */
export interface Observed<Data> extends Reading<Data> {
  /** RFC 3339 instant of the read. */
  readonly at: string;
}

/** Something made of an observation and other documents. */
export interface Derived<T> {
  /** Makes it of the documents as they are; null when there are none. */
  find(): Promise<T | null>;
  /** True: it is served, and a new observation is requested behind it. */
  isStale(value: T): boolean;
  /** False: a new observation is waited for instead of serving it. Default: always true. */
  isCurrent?(value: T): boolean;
}

export interface WaitOptions {
  /** Milliseconds to wait for an observation that is missing; default 2,500. */
  readonly waitMs?: number;
}

/** How services read the observations of one kind. */
export interface ObservedReader<Subject, Data> {
  /** The newest observation, null when there is none. Requests nothing. */
  find(subject: Subject): Promise<Observed<Data> | null>;
  /**
   * The newest observation. When it is stale, a new one is requested behind it; when it is missing, it is waited for.
   * @throws Problem 503 `not_ready` when it did not arrive in time
   */
  read(subject: Subject, options?: WaitOptions): Promise<Observed<Data>>;
  /** The same for what is derived from it. When the wait ends, what there is: null, or not current. */
  readDerived<T>(subject: Subject, derived: Derived<T>, options?: WaitOptions): Promise<T | null>;
  /** Whether an observation of that instant (RFC 3339) is stale. */
  isStale(at: string): boolean;
  /** The part of the documents that `find` reads. */
  documents(subject: Subject): Source;
}
