import type { Context } from './context';
import { FoldError } from './fold';
import { changeRecord } from './record';

/** Writes down why the projection stopped, for `status` and whoever mends it. */
export async function stop({ documents, clock }: Context, projection: string, error: Error): Promise<void> {
  const at = error instanceof FoldError ? error.at : 'commit';
  const fault = { at, error: error.message, since: clock().toISOString() };
  await changeRecord(documents, projection, record => record && { ...record, fault });
}

/** Lets a stopped projection try the input it stopped at again. */
export async function resume({ documents }: Pick<Context, 'documents'>, projection: string): Promise<void> {
  await changeRecord(documents, projection, record => (record?.fault ? { ...record, fault: null } : null));
}
