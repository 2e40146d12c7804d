import { workObservations, type ObservationWorkerDeps } from '../../../indexers/observations/worker';
import { workChanges } from '../../../services/observations/changed';
import { requestFirstReads } from '../../../services/observations/first-reads';
import { OBSERVATION_AGE } from '../../../services/observations/age';
import { keepRemovingOldObservations } from '../../../services/observations/remove-old';
import { runReaction } from '../../../services/reactions/event-reaction';
import { runMessageReaction } from '../../../services/reactions/message-reaction';
import { reenqueueLostJobs } from '../../../services/reactions/reenqueue';
import { keepApplyingRetention } from '../../../services/retention/apply-retention';
import { agingKeysOf, keepDeletingUnusedKeys } from '../../../services/retention/unused-keys';
import type { Component } from '../component';
import type { Feature, ProgramDeps, Worker } from '../feature';
import { supervise } from '../supervise';
import { daysOf } from '../../config/settings';

const DAY_MS = 86_400_000;

/** Runs the jobs of a feature: each handler runs until the signal, and again when an engine was unavailable. */
export function jobHandlers(
  name: string,
  handlersOf: (deps: ProgramDeps) => readonly ((signal: AbortSignal) => Promise<unknown>)[],
): Worker {
  return {
    role: 'jobs',
    start(deps) {
      const { logger, signal } = deps;
      const running = handlersOf(deps).map(handle => supervise(() => handle(signal), { logger, signal }));
      return {
        done: Promise.all(running.map(({ done }) => done)),
        checks: [
          {
            name: `${name}_jobs`,
            vital: false,
            run: async () =>
              running.map(({ unavailable }) => unavailable()).find(reason => reason !== null) ?? null,
          },
        ],
      };
    },
  };
}

/** A handler of which only one runs at a time, in all processes. @param name of its lease */
export function exclusively(
  { leases }: Pick<ProgramDeps, 'leases'>,
  name: string,
  run: (signal: AbortSignal) => Promise<void>,
): (signal: AbortSignal) => Promise<void> {
  return leases ? signal => leases.runExclusively(name, run, signal) : run;
}

/** Runs the reactions of a feature, and enqueues again what the job engine has lost. */
export function runReactions(feature: Feature, deps: ProgramDeps): Component {
  const { engines, logger, signal } = deps;
  const reactions = feature.reactions?.(deps) ?? [];
  const reenqueued = feature.reenqueue?.(deps) ?? [];
  return {
    done: Promise.all([
      ...reactions.map(reaction =>
        'topics' in reaction
          ? runMessageReaction({ ...engines, logger }, reaction, signal)
          : runReaction({ ...engines, logger }, reaction, signal),
      ),
      ...reenqueued.map(({ name, jobs }) =>
        reenqueueLostJobs(
          {
            name,
            jobs: engines.jobs,
            all: jobs,
            onError: error => logger.error({ err: error, name }, 'jobs could not be enqueued again'),
            onReenqueued: count => count > 0 && logger.info({ count, name }, 'jobs enqueued again'),
          },
          signal,
        ),
      ),
    ]),
  };
}

/** Reads what was requested of the observations of all features, and what blocks have changed. */
export const observationHandlers: Worker = jobHandlers(
  'observation',
  ({ features: { observations }, engines, sources, networks: { followed }, logger, clock, observed }) => {
    // Without any it would end at once, and be restarted for ever.
    if (observations.length === 0) return [];
    const now = (): number => clock().getTime();
    const last: ObservationWorkerDeps['last'] = (observation, subject) => observed(observation).find(subject);
    const work = { ...engines, ...sources, followed, observations, last, logger, now };
    const readers = new Map(
      observations
        .filter(({ changedBy }) => changedBy)
        .map(observation => [observation.kind, { observation, reader: observed(observation) }] as const),
    );
    return [
      signal => workObservations(work, signal),
      async signal => {
        await requestFirstReads({ observations, observed, followed });
        await workChanges({ ...engines, readers, now }, signal);
      },
    ];
  },
);

/** What removes old observations, of a program. */
export function observationRemovalOf({ config, engines, engine, clock, logger }: ProgramDeps) {
  const days = daysOf(config, OBSERVATION_AGE);
  return {
    views: engine.views,
    log: engines.log,
    clock,
    logger,
    maxAgeMs: days === 0 ? Infinity : days * DAY_MS,
    maxStored: config.MAX_OBSERVATIONS || Infinity,
  };
}

/** Removes what was observed of subjects that nobody reads any more, or more of them than are stored. */
export const observationRemoval: Worker = jobHandlers('observation_removal', deps => {
  const removal = observationRemovalOf(deps);
  return deps.features.observations
    .filter(({ ages }) => ages)
    .map(observation => signal => keepRemovingOldObservations(removal, observation, signal));
});

/** Deletes what anonymous callers have left long ago, and then the keys of its personal texts. */
export const retentionHandlers: Worker = jobHandlers('retention', deps => {
  const { features, config, engines, engine, handle, clock, logger } = deps;
  const { store, documents, vault } = engines;
  const { foldedByAll } = engine;
  const retentions = features.retentions.flatMap(retention => {
    const days = daysOf(config, retention);
    if (days === 0) return [];
    const on = { store, documents, handle, foldedByAll, clock, logger };
    return [(signal: AbortSignal) => keepApplyingRetention(on, retention, days, signal)];
  });
  const keys = agingKeysOf(features.retentions, each => daysOf(config, each)).map(
    each => (signal: AbortSignal) => keepDeletingUnusedKeys({ store, vault, clock, logger }, each, signal),
  );
  return [...retentions, ...keys];
});
