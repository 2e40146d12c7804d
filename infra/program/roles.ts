import type { Component } from './component';
import { jobGauges } from './health/health-checks';
import type { FeatureSet, ProgramDeps } from './feature';
import { serveApi } from './roles/api';
import { observationHandlers, observationRemoval, retentionHandlers, runReactions } from './roles/jobs';
import { runProjections } from './roles/projections';

type StartRole = (deps: ProgramDeps) => Component | Promise<Component | readonly Component[]>;

/** What a role does for all features alike. */
const SHARED: Readonly<Record<string, StartRole>> = {
  api: serveApi,
  projections: runProjections,
  jobs: async deps => [
    ...deps.features.all.map(feature => runReactions(feature, deps)),
    await observationHandlers.start(deps),
    await observationRemoval.start(deps),
    await retentionHandlers.start(deps),
    { refresh: () => jobGauges(deps.metrics, deps.engines.jobs, deps.config) },
  ],
  // Local networks and their traffic are loaded only where they run.
  networks: async deps => (await import('./roles/networks.js')).seedNetworks(deps),
};

/** The roles that processes can have: one process may have all of them, and each role any number of processes. */
export function rolesOf({ all }: FeatureSet): readonly string[] {
  return [
    ...new Set([
      ...Object.keys(SHARED),
      ...all.flatMap(({ workers = [] }) => workers.map(({ role }) => role)),
    ]),
  ];
}

/** Whether a role writes neither events nor records of its own: it runs also when an engine has lost data. */
export function runsAfterLoss({ all }: FeatureSet, role: string): boolean {
  const workers = all.flatMap(({ workers = [] }) => workers).filter(worker => worker.role === role);
  return role === 'api' || (!(role in SHARED) && workers.every(worker => worker.runsAfterLoss));
}

/** Starts a role: what it does for all features, then the workers that features have in it. */
export async function startRole(role: string, deps: ProgramDeps): Promise<readonly Component[]> {
  const components = [await SHARED[role]?.(deps)].flat();
  for (const { workers = [] } of deps.features.all)
    for (const worker of workers) if (worker.role === role) components.push(await worker.start(deps));
  return components.filter(component => component !== undefined);
}
