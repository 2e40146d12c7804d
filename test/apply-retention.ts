import { daysOf } from '../infra/config/settings';
import { applyRetention } from '../services/retention/apply-retention';
import type { Retention } from '../services/retention/retention';
import type { TestProgram } from './program';

/** Applies a retention in a program, as its jobs do from time to time. @returns streams that were deleted */
export function applyIn({ deps }: Pick<TestProgram, 'deps'>, retention: Retention): Promise<number> {
  const { config, engines, engine, handle, clock, signal } = deps;
  const { foldedByAll } = engine;
  const on = { ...engines, handle, clock, foldedByAll };
  return applyRetention(on, retention, daysOf(config, retention), signal);
}
