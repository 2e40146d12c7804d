import { projectionGauges, projectionsCheck } from '../health-checks';
import type { Part, RoleDeps } from './role';
import { sealLedger } from './sealer';

/** Keeps all read models up to date, and the ledger sealed. */
export function project(deps: RoleDeps): Part {
  const { engine, metrics, signal } = deps;
  const sealing = sealLedger(deps);
  return {
    done: Promise.all([engine.run(signal), sealing.done]),
    checks: [projectionsCheck(engine), ...(sealing.checks ?? [])],
    refresh: () => projectionGauges(metrics, engine),
  };
}
