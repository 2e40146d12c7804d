import { OBSERVATIONS_TOPIC } from '../../contracts/observation/observation';
import { SHARED_QUOTAS } from '../../contracts/quota';
import { observationProjection } from '../../projections/observations/projection';
import { OBSERVATION_AGE } from '../../services/observations/age';
import type { Reaction as EventReaction } from '../../services/reactions/event-reaction';
import type { MessageReaction } from '../../services/reactions/message-reaction';
import type { Config } from '../config/settings';
import type { Engines } from '../engines/engines';
import type { Feature, FeatureSet, OwnHost } from './feature';

export function featureSet(features: readonly Feature[]): FeatureSet {
  const observations = features.flatMap(feature => feature.observations ?? []);
  return {
    all: features,
    quotas: [...SHARED_QUOTAS, ...features.flatMap(({ quotas = [] }) => quotas)],
    retentions: features.flatMap(({ retentions = [] }) => retentions),
    ages: [
      ...(observations.some(({ ages }) => ages) ? [OBSERVATION_AGE] : []),
      ...features.flatMap(({ ages = [], retentions = [] }) => [...ages, ...retentions]),
    ],
    metrics: features.flatMap(({ metrics }) => metrics ?? []),
    observations,
    projections: [
      ...features.flatMap(({ projections = [] }) => projections),
      ...observations.map(observationProjection),
    ],
    topics: [...features.flatMap(({ topics = [] }) => topics), OBSERVATIONS_TOPIC],
  };
}

/** The paths with a port of their own in a process of these roles. */
export function ownHosts({ all }: FeatureSet, config: Config, roles: readonly string[]): readonly OwnHost[] {
  return all.flatMap(({ hosts }) => hosts?.(config) ?? []).filter(({ role }) => roles.includes(role));
}

/** The reactions of all features. */
export function reactionsOf(
  { all }: FeatureSet,
  config: Config,
  engines: Engines,
): readonly (EventReaction | MessageReaction)[] {
  return all.flatMap(({ reactions }) => reactions?.({ config, engines }) ?? []);
}
