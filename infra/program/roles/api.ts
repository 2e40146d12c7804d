import type { Binding } from '../../../services/http/binding';
import type { Component } from '../component';
import type { ProgramDeps } from '../feature';
import { projectionsCheck } from '../health/health-checks';
import { requestPolicies } from '../requests/request-policies';

/** Serves the endpoints of all features. */
export async function serveApi(deps: ProgramDeps): Promise<Component> {
  const bindings: Binding[] = [];
  for (const feature of deps.features.all) bindings.push(...((await feature.routes?.(deps)) ?? []));
  return {
    bindings,
    policies: await deps.use(requestPolicies),
    checks: [projectionsCheck(deps.engine)],
  };
}
