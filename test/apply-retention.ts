import { daysOf } from '../infra/config/settings';
import { changesCheckpoint, ERASURE_KEYS } from '../services/personal-texts/key-documents';
import { applyRetention } from '../services/retention/apply-retention';
import type { Retention } from '../services/retention/retention';
import { agingKeysOf, deleteUnusedKeys } from '../services/retention/unused-keys';
import type { TestProgram } from './program';

/** Applies a retention in a program, as its jobs do from time to time. @returns streams that were deleted */
export function applyIn({ deps }: Pick<TestProgram, 'deps'>, retention: Retention): Promise<number> {
  const { config, engines, engine, handle, clock, signal } = deps;
  const { foldedByAll } = engine;
  const on = { ...engines, handle, clock, foldedByAll };
  return applyRetention(on, retention, daysOf(config, retention), signal);
}

/** Deletes the keys in a program that are not used any more, as its jobs do once a day. @returns how many were deleted */
export async function deleteUnusedKeysIn({ deps }: Pick<TestProgram, 'deps'>): Promise<number> {
  const { config, engines, features, clock, signal } = deps;
  let deleted = 0;
  for (const keys of agingKeysOf(features.retentions, each => daysOf(config, each)))
    deleted += await deleteUnusedKeys({ ...engines, clock }, keys, signal);
  return deleted;
}

/** What is left of the key of a subject in a program: its document, and its checkpoint. */
export async function leftOfKey(
  { deps }: Pick<TestProgram, 'deps'>,
  subject: string,
): Promise<readonly unknown[]> {
  const { vault } = deps.engines;
  const left = [
    await vault.get(ERASURE_KEYS.name, subject),
    await vault.checkpoint(changesCheckpoint(subject)),
  ];
  return left.filter(each => each !== null);
}
