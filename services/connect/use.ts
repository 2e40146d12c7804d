import type { CommandMetadata } from '../../contracts/decider';
import { parsePublicKey } from '../../contracts/account/public-key';
import { connectSessionStream } from '../../contracts/events/connect-session';
import { findConnectSession } from '../../projections/connect/connections';
import type { ConnectDeps } from './deps';
import { isUseDue, sessionKind } from './session';

/**
 * An application that only asks for its session uses it, too: it is recorded from time to time, so that the session stays.
 * @param session its key as a client wrote it
 */
export async function recordUse(
  { views, handle }: Pick<ConnectDeps, 'views' | 'handle'>,
  session: string,
  metadata: CommandMetadata,
): Promise<void> {
  const key = parsePublicKey(session);
  const found = key === null ? null : await findConnectSession(views, key);
  if (!found?.wallet || !isUseDue(found, metadata.now)) return;
  await handle(sessionKind, connectSessionStream(key!), { type: 'use', key: key!, metadata });
}
