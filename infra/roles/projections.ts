import { projectionGauges, projectionsCheck } from '../standing';
import type { Part, RoleDeps } from './role';

/** Keeps all read models up to date. */
export const project = ({ engine, metrics, signal }: RoleDeps): Part => ({
  done: engine.run(signal),
  checks: [projectionsCheck(engine)],
  refresh: () => projectionGauges(metrics, engine),
});
