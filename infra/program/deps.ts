import type { Logger } from 'pino';
import type { Clients, Observation } from '../../contracts/observation/observation';
import type { ObservedReader } from '../../contracts/observation/reader';
import { leases } from '../../indexers/lease';
import { createBatchReader } from '../../indexers/observations/batch-reader';
import { createUnrecordedReader } from '../../indexers/observations/unrecorded-reader';
import { createProjectionEngine } from '../../projections/engine/engine';
import { createHandle } from '../../services/commands/handle';
import { createObservedReader } from '../../services/observations/reader';
import type { Config } from '../config/settings';
import { isDistributed, type Engines } from '../engines/engines';
import { CleanupStack } from './cleanup-stack';
import type { FeatureSet, ProgramDeps } from './feature';
import type { Metrics } from './metrics/metrics';
import type { Networks } from './sources/networks';
import { createReadWait, type ReadWait } from './requests/read-wait';
import { resourcesIn } from './resources';
import { createSources } from './sources/sources';

interface Parts {
  readonly config: Config;
  readonly features: FeatureSet;
  readonly engines: Engines;
  readonly networks: Networks;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: () => Date;
  /** Stops the workers. What they use is closed after it, by `cleanup`. */
  readonly signal: AbortSignal;
  readonly assertComplete: () => void;
  /** Doubles of what is read from outside. */
  readonly clients?: Partial<Clients> | undefined;
  readonly readWait?: Partial<ReadWait> | undefined;
}

/** What a running program offers its features, made of its engines and networks. */
export function createProgramDeps(parts: Parts, cleanup: CleanupStack): ProgramDeps {
  const { config, features, engines, networks, logger, clock, signal } = parts;
  const { store, documents } = engines;
  const { followed } = networks;

  const projecting = new AbortController();
  const engine = createProjectionEngine({
    projections: features.projections,
    ...engines,
    clock,
    logger,
    signal: projecting.signal,
  });
  cleanup.defer(() => projecting.abort());

  const clients: Partial<Clients> = Object.assign(
    {},
    ...features.all.map(feature => feature.clients?.(resource => deps.use(resource))),
    parts.clients,
  );
  const sources = createSources({ networks, config, documents, clients, logger, signal });
  cleanup.defer(sources.close);

  const readWait = { ...createReadWait(config), ...parts.readWait };
  // Closed after the components that use them have stopped, whenever they were opened.
  const opened = new CleanupStack();
  cleanup.defer(() => opened.run());
  const use = resourcesIn(opened);
  const deps: ProgramDeps = {
    ...parts,
    engine,
    sources,
    readWait,
    handle: createHandle({ store }),
    observed: observation => observedReader(deps, observation),
    unrecorded: observation =>
      createUnrecordedReader(observation, {
        ...sources,
        followed,
        logger,
        now: () => clock().getTime(),
        waitMs: readWait.waitMs,
      }),
    batches: observation =>
      createBatchReader(observation, {
        ...sources,
        last: (of, subject) => deps.observed(of).find(subject),
        known: (of, subjects) => deps.observed(of).findMany(subjects),
        log: engines.log,
        logger,
        now: () => clock().getTime(),
      }),
    leases: isDistributed(config) ? leases(documents) : null,
    use: resource => use(resource, deps),
  };
  return deps;
}

/** @throws for an observation that no feature of the program has */
function observedReader<Subject, Data>(
  { features, engine, engines, readWait, sources, networks, logger, clock }: ProgramDeps,
  observation: Observation<Subject, Data>,
): ObservedReader<Subject, Data> {
  if (!features.observations.some(({ kind }) => kind === observation.kind))
    throw new Error(
      `${observation.kind} is not among the observations of a feature of this program: nothing would read it`,
    );
  return createObservedReader(observation, {
    views: engine.views,
    jobs: engines.jobs,
    logger,
    now: () => clock().getTime(),
    ...readWait,
    isWrongNetwork: sources.isWrongNetwork,
    followed: networks.followed,
  });
}
