import { CONNECT_COMMAND_CATEGORY, connectCommandEvents } from '../../contracts/events/connect-command';
import { CONNECT_SESSION_CATEGORY } from '../../contracts/events/connect-session';
import { removeByDecider, type Retention } from '../retention/retention';
import { commandKind, isForgotten } from './command';
import { sessionKind } from './session';

/** Those that were answered stay: an application may command the wallet at any time, and a revocation holds for ever. */
export const CONNECT_SESSION_RETENTION: Retention = {
  name: 'connect_session',
  of: 'sessions of applications that no wallet has answered',
  category: CONNECT_SESSION_CATEGORY,
  days: 30,
  hasNoDocument: ({ type }) => type === 'ConnectSessionRemoved',
  remove: removeByDecider(sessionKind),
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
