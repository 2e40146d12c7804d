import { CONNECT_COMMAND_CATEGORY, connectCommandEvents } from '../../contracts/events/connect-command';
import { CONNECT_SESSION_CATEGORY, connectSessionEvents } from '../../contracts/events/connect-session';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { removeByDecider, type Retention } from '../retention/retention';
import { commandKind, isForgotten } from './command';
import { sessionKind } from './session';

/** That it was revoked stays for good. */
function isSessionForgotten(last: RecordedEvent): boolean {
  const { type, data } = connectSessionEvents.read(last);
  return type === 'ConnectSessionRemoved' && !data.revoked;
}

export const CONNECT_SESSION_RETENTION: Retention = {
  name: 'connect_session',
  of: 'sessions of applications that no wallet has answered',
  category: CONNECT_SESSION_CATEGORY,
  days: 30,
  hasNoDocument: isSessionForgotten,
  remove: removeByDecider(sessionKind),
};

/** From the last use: an application may command the wallet at any time. */
export const ANSWERED_SESSION_RETENTION: Retention = {
  name: 'connect_answered_session',
  of: 'sessions of applications that a wallet has answered, so long after the last use; that one was revoked stays',
  note: `An application uses its session when it asks for it, or commands the wallet; that is recorded once in 30 days. One that has gone is
\`not_found\`, as one that never was. Of one that was revoked an event of half a kilobyte stays: what the wallet has signed names the session, the
wallet and its installation, and no time, so it is valid for ever, and who has it could connect the session again once nothing is known of its end.
Of all callers together these are 25 MB a day at most, since each takes two of \`RATE_LIMIT_CONNECTIONS_PER_DAY\`, of which one may have a quarter of
what the others leave. A session that was revoked before a wallet had answered it leaves nothing.`,
  category: CONNECT_SESSION_CATEGORY,
  progress: 'answered',
  days: 365,
  hasNoDocument: isSessionForgotten,
  async remove(handle, { stream }, now) {
    const metadata = { now, actor: 'retention' };
    const outcome = await handle(sessionKind, stream, { type: 'remove_answered', metadata });
    return !outcome.refusal && outcome.events.length > 0;
  },
};

/** Of one that is still valid the last event stays: who has it could submit it again, and a wallet would do it twice. */
export const CONNECT_COMMAND_RETENTION: Retention = {
  name: 'connect_command',
  of: 'commands of applications to wallets',
  category: CONNECT_COMMAND_CATEGORY,
  days: 30,
  hasNoDocument(last) {
    const { type, data } = connectCommandEvents.read(last);
    return type === 'ConnectCommandRemoved' && isForgotten(data);
  },
  remove: removeByDecider(commandKind),
};
