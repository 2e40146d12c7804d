import { join } from 'node:path';
import type { Binding } from '../../../services/http/binding';
import { consolePages } from '../../console/pages';
import { compiledPath } from '../../engines/compiled-path';
import type { Component } from '../component';
import type { ProgramDeps } from '../feature';
import { projectionsCheck } from '../health/health-checks';
import { requestPolicies } from '../requests/request-policies';

const BROWSER_MODULES = compiledPath(join(__dirname, '..', '..', 'console', 'browser'));

/** Serves the endpoints of all features, and the console that calls them. */
export async function serveApi(deps: ProgramDeps): Promise<Component> {
  const bindings: Binding[] = [];
  for (const feature of deps.features.all) bindings.push(...((await feature.routes?.(deps)) ?? []));
  return {
    bindings,
    routers: [consolePages(BROWSER_MODULES)],
    policies: await deps.use(requestPolicies),
    checks: [projectionsCheck(deps.engine)],
  };
}
