import type { CommandMetadata } from '../../contracts/decider';
import { connectSessionStream } from '../../contracts/events/connect-session';
import type { ConnectSessionDocument } from '../../projections/connect/connections';
import type { ConnectDeps } from './deps';
import { isUseDue, sessionKind } from './session';

/**
 * An application that only asks for its session uses it, too: it is recorded from time to time, so that the session stays. What is
 * shown of the session does not change by it.
 */
export async function recordUse(
  { handle }: Pick<ConnectDeps, 'handle'>,
  found: ConnectSessionDocument | null,
  metadata: CommandMetadata,
): Promise<void> {
  if (!found?.wallet || !isUseDue(found, metadata.now)) return;
  const { _id: key } = found;
  await handle(sessionKind, connectSessionStream(key), { type: 'use', key, metadata });
}
