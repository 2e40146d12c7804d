import { connectionsProjection } from '../../projections/connect/connections';
import { describeRetention } from '../../test/contracts/retention';
import { CONNECT } from '../../test/events/samples/connect';
import {
  ANSWERED_SESSION_RETENTION,
  CONNECT_COMMAND_RETENTION,
  CONNECT_SESSION_RETENTION,
} from './retention';

const of = <T extends keyof typeof CONNECT>(type: T) => [type, CONNECT[type]] as const;
const opened = [
  'ConnectSessionOpened',
  { ...CONNECT.ConnectSessionOpened, expiresAt: '2026-01-01T01:00:00.000Z' },
] as const;
const answered = of('ConnectSessionAnswered');
const revoked = of('ConnectSessionRevoked');

const removed = (wasRevoked: boolean) =>
  ['ConnectSessionRemoved', { ...CONNECT.ConnectSessionRemoved, revoked: wasRevoked }, 2] as const;

describe('sessions', () =>
  describeRetention(CONNECT_SESSION_RETENTION, [connectionsProjection], {
    goes: {
      'a session that nobody has answered': [opened],
      'a session that was revoked before anybody had answered': [opened, revoked],
    },
    stays: {
      'that a session was revoked': [removed(true)],
      'a session that was answered': [opened, answered],
      'a session that was reported': [answered],
      'a session that was answered and revoked': [opened, answered, revoked],
    },
  }));

describe('sessions that were answered', () =>
  describeRetention(ANSWERED_SESSION_RETENTION, [connectionsProjection], {
    goes: {
      'a session that was answered': [opened, answered],
      'a session that was reported, and used': [answered, of('ConnectSessionUsed')],
    },
    stays: {
      'a session that nobody has answered': [opened],
      'that a session was revoked': [removed(true)],
    },
  }));

const submitted = { ...CONNECT.ConnectCommandSubmitted, expiresAt: '2026-01-01T00:05:00.000Z' };

describe('commands', () =>
  describeRetention(CONNECT_COMMAND_RETENTION, [connectionsProjection], {
    goes: {
      'a command': [['ConnectCommandSubmitted', submitted, 2]],
      'a command of the first version': [['ConnectCommandSubmitted', submitted]],
    },
  }));
