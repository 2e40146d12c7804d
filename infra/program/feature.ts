import type { Logger } from 'pino';
import type { z } from 'zod';
import type { BatchReader, ObservedReader, UnrecordedReader } from '../../contracts/observation/reader';
import type { Clients, Observation, UnrecordedObservation } from '../../contracts/observation/observation';
import type { Bound } from '../../contracts/bound';
import type { Quota } from '../../contracts/quota';
import type { NewJob } from '../../contracts/ports/jobs';
import type { TopicSpec } from '../../contracts/ports/log';
import type { IndexerState } from '../../indexers/indexer';
import type { Leases } from '../../indexers/lease';
import type { ProjectionEngine } from '../../projections/engine/engine';
import type { Projection } from '../../projections/projection';
import type { Handle } from '../../services/commands/handle';
import type { Binding } from '../../services/http/binding';
import type { Reaction as EventReaction } from '../../services/reactions/event-reaction';
import type { MessageReaction } from '../../services/reactions/message-reaction';
import type { Age, Retention } from '../../services/retention/retention';
import type { AccountUse } from '../../services/watch-account';
import type { TonDevnetDescription } from '../devnet/devnet';
import type { Engines } from '../engines/engines';
import type { CommandEntry } from './commands/command';
import type { Component } from './component';
import type { MemoryUse } from './memory-use';
import type { DefineMetrics, Metrics } from './metrics/metrics';
import type { Networks } from './sources/networks';
import type { ReadWait } from './requests/read-wait';
import type { Config } from '../config/settings';
import type { Sources } from './sources/sources';

/** A server that answers what is under a path of the API as if it were its root, for clients that want a host for it. */
export interface OwnHost {
  /** The role that answers there. */
  readonly role: string;
  readonly basePath: string;
  readonly port: number;
  /** The setting that says the port. */
  readonly setting: string;
}

/** What the calls of a greeting are made with. */
export interface FirstCallsOf {
  readonly url: string;
  /** Of the role finance. */
  readonly token: string;
  /** Whether the ledger has no fees; false where that is not known. */
  readonly isEmpty: boolean;
}

/** What a running program offers its features. */
export interface ProgramDeps {
  readonly config: Config;
  readonly engines: Engines;
  readonly engine: ProjectionEngine;
  readonly networks: Networks;
  readonly sources: Sources;
  /** Executes commands. */
  readonly handle: Handle;
  /** Reads what is observed, and requests what is missing or stale. */
  observed<Subject, Data>(observation: Observation<Subject, Data>): ObservedReader<Subject, Data>;
  /** Reads what is not recorded, through a cache: one for each call of this. */
  unrecorded<Subject, Data>(
    observation: UnrecordedObservation<Subject, Data>,
  ): UnrecordedReader<Subject, Data>;
  /** Reads what is observed without a request, for workers that have much of it read again. */
  batches<Subject, Data>(observation: Observation<Subject, Data>): BatchReader<Subject>;
  /** How long reads of this process wait for what is missing, and how many of them. */
  readonly readWait: ReadWait;
  /** Leases for workers of which only one may run; null where there is only one process. */
  readonly leases: Leases | null;
  readonly features: FeatureSet;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: () => Date;
  /** Fires when the program stops. */
  readonly signal: AbortSignal;
  /** @throws EngineBehind when the event store or the log has lost data */
  assertComplete(): void;
  /** Opens a resource at its first use; it is closed when the program stops. */
  use<T>(resource: Resource<T>): Promise<T>;
}

/** Something that several features share and that is opened only in processes that need it. */
export interface Resource<T> {
  /** @throws WrongSettings, CannotOpen */
  open(deps: ProgramDeps): Promise<T>;
  close?(opened: T): Promise<void>;
}

/** Work in the background that belongs to a role. */
export interface Worker {
  readonly role: string;
  /** Writes neither events nor records: it runs also when an engine has lost data. */
  readonly runsAfterLoss?: boolean;
  start(deps: ProgramDeps): Component | Promise<Component>;
}

/** Jobs that can be derived again, in case the job engine loses its data. */
export interface Reenqueue {
  /** Names the mark that is left in the job engine; it stays the same. */
  readonly name: string;
  /** All jobs that may be incomplete; a complete one ends at once when it runs again. */
  jobs(): AsyncIterable<NewJob>;
}

/** Everything the program has to know about one functional group; `features.ts` lists the values. */
export interface Feature {
  readonly name: string;
  readonly settings?: z.ZodRawShape;
  /** Names that settings had in earlier versions, and what they are called now. */
  readonly renamedSettings?: Readonly<Record<string, string>>;
  /** Names begin like this that no other program is known to have: each that is no setting is one misspelled. */
  readonly settingPrefixes?: readonly string[];
  /** Rules over several settings. */
  checkSettings?(config: Config, context: z.RefinementCtx): void;
  /** What the group limits; the program adds the setting of each. */
  readonly quotas?: readonly Quota[];
  /** What strangers can use up of the group; docs/bounds.md lists it. */
  readonly bounds?: readonly Bound[];
  /** What strangers can have a process take of memory for the group; docs/bounds.md lists it. */
  readonly memory?: readonly MemoryUse[];
  /** How long what anonymous callers leave stays; the program adds the setting of each. */
  readonly retentions?: readonly Retention[];
  /** The same of what is not a stream, which a worker of the group removes. */
  readonly ages?: readonly Age[];
  readonly metrics?: DefineMetrics;
  readonly topics?: readonly TopicSpec[];
  readonly projections?: readonly Projection[];
  /** The program adds the projection, the worker and the reader of each. */
  readonly observations?: readonly Observation[];
  readonly indexers?: IndexerState;
  /** Of the chain that the group reads: others are watched for a short time only. */
  readonly accountUse?: AccountUse;
  routes?(deps: ProgramDeps): readonly Binding[] | Promise<readonly Binding[]>;
  /** Paths that the settings also give a port of their own. */
  hosts?(config: Config): readonly OwnHost[];
  /** Paths that a double in the program calls: what succeeds there is nothing for the log. */
  ownPaths?(config: Config): readonly string[];
  /** What observations of the group read with, beside the chains and the web. */
  clients?(use: ProgramDeps['use']): Partial<Clients>;
  /** Turn events and records into jobs. There is no `engine` where they are only asked how far they are. */
  reactions?(
    deps: Pick<ProgramDeps, 'config' | 'engines'> & Partial<Pick<ProgramDeps, 'engine'>>,
  ): readonly (EventReaction | MessageReaction)[];
  /** Once a local network of TON has its accounts: what the group records of them. */
  onLocalNetwork?(deps: ProgramDeps, network: TonDevnetDescription): Promise<void>;
  reenqueue?(deps: ProgramDeps): readonly Reenqueue[];
  readonly workers?: readonly Worker[];
  /** Calls to try first, which a terminal shows at the start: lines of text. */
  firstCalls?(config: Config, at: FirstCallsOf): readonly string[];
  /** Commands of `tidemark`. */
  readonly commands?: readonly CommandEntry[];
}

/** The functional groups of a program, and what they add up to. */
export interface FeatureSet {
  readonly all: readonly Feature[];
  /** Those that groups share come first. */
  readonly quotas: readonly Quota[];
  readonly retentions: readonly Retention[];
  /** Those of retentions too. */
  readonly ages: readonly Age[];
  readonly metrics: readonly DefineMetrics[];
  readonly observations: readonly Observation[];
  readonly projections: readonly Projection[];
  /**
   * All topics of the log. The first process to start creates them: a projection must not depend on an indexer having run.
   */
  readonly topics: readonly TopicSpec[];
}
