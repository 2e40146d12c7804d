import type { z } from 'zod';
import type { Json } from '../json/json';
import type { NetworkRef, SolanaNetwork, TonNetwork } from '../network/network';
import type { ExchangePartner } from '../ports/exchange-partner';
import type { NewMessage } from '../ports/log';
import type { PublicWeb } from '../ports/public-web';
import type { SolanaClient } from '../ports/solana-client';
import type { TonClient } from '../ports/ton-client';

/** What observations read with. */
export interface Clients {
  ton(network: TonNetwork): TonClient;
  solana(network: SolanaNetwork): SolanaClient;
  /** @throws PartnerUnavailable where there is none */
  exchange(): Promise<ExchangePartner>;
  /** For documents at URLs that tokens and apps name. */
  readonly web: PublicWeb;
}

/** An external system that is read: a network, a partner's API. It has its own queues and limits, so it delays no other. */
export interface ObservationSource<Subject = unknown> {
  readonly name: string;
  /** Parts that fail independently, each with its own queue and limits; default: the source has no parts. */
  readonly networks?: readonly string[];
  /** The one of `networks` that a subject is read from; default: the network of `chainOf`. */
  networkOf?(subject: Subject): string;
  /** The network of a chain that a subject is read from; default: it is read from no chain. */
  chainOf?(subject: Subject): NetworkRef;
  /** Reads at a time in one process; default 8. */
  readonly maxConcurrent?: number;
  /**
   * Of a source that reads from servers which anybody may have named: the part of it that somebody has registered, such as a domain.
   * A site and a caller have a quarter of the reads at a time each, and sites that are slow have one together.
   */
  siteOf?(subject: Subject): string;
  /** A caller has a quarter of the reads at a time; default: only where there are sites. */
  readonly hasShares?: true;
  /** Reads begun within a second in one process; default: no limit. */
  readonly maxPerSecond?: number;
}

/** How a subject is written in keys and ids. */
export interface SubjectFormat<Subject> {
  format(subject: Subject): string;
  /** @throws Error when the text is of another form */
  parse(text: string): Subject;
}

/** The result of a read. `height` is the seqno or slot that the source was at; null for a source without heights. */
export interface Reading<Data> {
  readonly height: number | null;
  readonly data: Data;
}

/** An internal message that has arrived. Raw addresses. */
export interface ReceivedMessage {
  readonly network: TonNetwork;
  readonly from: string;
  readonly to: string;
}

/**
 * The account of a TON network in whose transactions a subject changes: one of each network, which has a subject of its own, or one
 * that each reading names. Or the message between two accounts that changes it, where an account has too many subjects for each of
 * its transactions to change them all.
 */
export type ChangedBy<Subject> =
  | {
      accountOf(network: TonNetwork): {
        /** Raw. */
        readonly address: string;
        readonly subject: Subject;
        /** It also has as many transactions in each block of which nothing follows. */
        readonly ticks?: true;
      };
    }
  | {
      /** The field of the data that has the account (raw). */
      readonly field: string;
    }
  | {
      /** Those that a message changes, whether or not there are such. Messages are known where their receiver is followed. */
      subjectsOf(message: ReceivedMessage): readonly Subject[];
    };

interface Definition<Subject, Data> {
  /** Lower-case words separated by dots, such as `solana.account`. */
  readonly kind: string;
  /** Validates what was read before it is published or served. */
  readonly schema: z.ZodType<Data>;
  readonly source: ObservationSource<NoInfer<Subject>>;
  /**
   * @param caller for whom it is read, where that is known: who waits within the read has its turn there, too
   * @throws NothingToObserve where there is nothing any more, of an observation that is recorded
   */
  read(clients: Clients, subject: Subject, signal: AbortSignal, caller?: string): Promise<Reading<Data>>;
}

/**
 * A value read from an external system that is neither a transaction nor a command: a balance, contract state, pool
 * parameters. This definition yields the job, the record on the log, the projection, and the reader.
 */
export interface Observation<Subject = unknown, Data = unknown> extends Definition<Subject, Data> {
  readonly recorded?: true;
  readonly subject: SubjectFormat<Subject>;
  /** Minimum time between two reads of one subject. */
  readonly minAgeMs: number;
  /** An older observation is still served, and refreshed in the background. */
  readonly staleAfterMs: number;
  /**
   * Whether a subject that nobody reads any more is removed, and beyond a number of subjects the one that was observed least
   * recently: true where callers choose them. A reader then requests what is stale, and waits for what is missing. False
   * where subjects are those of a network or of the operator, or where the source may not tell it again.
   */
  readonly ages: boolean;
  /** A subject that was observed before is read again after the blocks that change it, once in `minAgeMs`. Default: none do. */
  readonly changedBy?: ChangedBy<Subject>;
  /** The data after two readings, for what a source may seem to take back; default: that of the newer one. */
  merge?(older: Reading<Data>, newer: Reading<Data>): Data;
}

/**
 * An observation that needs no history, or of which nothing is to be stored: it is cached in memory, and neither published to
 * the log nor stored in documents.
 */
export interface UnrecordedObservation<Subject = unknown, Data = unknown> extends Definition<Subject, Data> {
  readonly recorded: false;
  /** The key in the cache. */
  readonly subject: Pick<SubjectFormat<Subject>, 'format'>;
  /** By the time at which its read began. */
  readonly ttlMs: number;
  /**
   * Whether an older value is served: `true` at once, while it is refreshed in the background; `on-failure` only where the
   * source fails or does not answer in time. Default: true.
   */
  readonly servesStale?: boolean | 'on-failure';
  /** Maximum number of cached subjects; the least recently used are evicted. */
  readonly maxEntries: number;
}

/** @throws Error when the kind is malformed, or would be stale before it may be read again */
export function defineObservation<Subject, Data>(
  observation: Observation<Subject, Data>,
): Observation<Subject, Data>;
export function defineObservation<Subject, Data>(
  observation: UnrecordedObservation<Subject, Data>,
): UnrecordedObservation<Subject, Data>;
export function defineObservation<Subject, Data>(
  observation: Observation<Subject, Data> | UnrecordedObservation<Subject, Data>,
): Observation<Subject, Data> | UnrecordedObservation<Subject, Data> {
  const { kind } = observation;
  if (!/^[a-z0-9]+(\.[a-z0-9]+)*$/.test(kind)) throw new Error(`malformed kind of observation: ${kind}`);
  if (observation.recorded !== false && observation.staleAfterMs < observation.minAgeMs)
    throw new Error(`${kind} is stale before it may be read again`);
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

type Age = Pick<ObservationRecord, 'height' | 'at'>;

/** Which of two observations of a subject stays: by height; by instant where heights are equal or missing. */
export function isNewer(one: Age, other: Age): boolean {
  if (one.height !== null && other.height !== null && one.height !== other.height)
    return one.height > other.height;
  return one.at > other.at;
}

/** One topic for all kinds; records of one subject replace each other. A tombstone removes the subject. */
export const OBSERVATIONS_TOPIC = { name: 'observations', partitions: 8, cleanup: 'compact' } as const;

/** The key of the record of a subject on the log, and the id of its document. */
export function observationKey(kind: string, subject: string): string {
  return `${kind}/${subject}`;
}

/** The record that removes a subject. Its next observation adds it again. */
export function observationTombstone(kind: string, subject: string): NewMessage {
  return { key: observationKey(kind, subject), value: Buffer.alloc(0) };
}

/** The queues of a source, one for each of its networks. */
export function observationQueues({ name, networks }: ObservationSource): string[] {
  return networks ? networks.map(network => queueName(name, network)) : [queueName(name)];
}

/** The queue of the reads of a subject. */
export function observationQueue<Subject>(source: ObservationSource<Subject>, subject: Subject): string {
  return queueName(source.name, source.networkOf?.(subject) ?? source.chainOf?.(subject).network);
}

const queueName = (source: string, network?: string): string =>
  network === undefined ? `observe-${source}` : `observe-${source}-${network}`;
