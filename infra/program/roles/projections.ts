import type { Component } from '../component';
import type { ProgramDeps } from '../feature';
import { projectionGauges, projectionsCheck } from '../health/health-checks';

/** Keeps all read models up to date. */
export function runProjections({ engine, metrics, signal }: ProgramDeps): Component {
  return {
    done: engine.run(signal),
    checks: [projectionsCheck(engine)],
    refresh: () => projectionGauges(metrics, engine),
  };
}
