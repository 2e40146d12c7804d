import { CONNECTIONS } from '../../../contracts/http/connect/connect';
import { connectionsProjection } from '../../../projections/connect/connections';
import {
  ANSWERED_SESSION_RETENTION,
  CONNECT_COMMAND_RETENTION,
  CONNECT_SESSION_RETENTION,
} from '../../../services/connect/retention';
import { connectRoutes } from '../../../services/connect/routes';
import { createWaitLimit } from '../../../services/reads/read-until';
import type { Feature } from '../feature';
import { callerSource } from '../requests/caller-source';
import { WAIT_BYTES } from '../memory-use';
import { ageSetting, count, daysOf } from '../../config/settings';
import { USE_INTERVAL_DAYS } from '../../../services/connect/session';

const settings = {
  MAX_WAITING_SESSION_READS: count.default(5_000),
  MAX_CONNECT_SESSIONS: count.default(1_000_000),
};

/** Connection sessions of applications with wallets, and their commands. */
export const connect: Feature = {
  name: 'connect',
  settings,
  renamedSettings: { CONNECT_WAIT_LIMIT: 'MAX_WAITING_SESSION_READS' },
  checkSettings(config, context) {
    const days = daysOf(config, ANSWERED_SESSION_RETENTION);
    if (days === 0 || days >= 2 * USE_INTERVAL_DAYS) return;
    context.addIssue({
      code: 'custom',
      path: [ageSetting(ANSWERED_SESSION_RETENTION)],
      message: `a use is recorded once in ${USE_INTERVAL_DAYS} days: it must be ${2 * USE_INTERVAL_DAYS} or more, or 0`,
    });
  },
  quotas: [CONNECTIONS],
  bounds: [
    {
      of: 'connection sessions of applications that are stored',
      owner: 'who has opened or answered one',
      max: '`MAX_CONNECT_SESSIONS`, each for `CONNECT_ANSWERED_SESSION_DAYS` after its last use',
      share: 'in a day, a quarter of what the others leave',
      beyond:
        '429 `too_many_connect_sessions` for new ones; those that are stored are answered and used as before',
      note: 'Those that no wallet has answered go after `CONNECT_SESSION_DAYS`.',
      attack: {
        file: 'test/connect/sessions.test.ts',
        test: 'of a stranger are a quarter of what the others leave, and who has one still uses it',
      },
    },
    {
      of: 'reads that wait for a change of a connection session',
      owner: 'all callers',
      max: '`MAX_WAITING_SESSION_READS`',
      share: 'a quarter',
      beyond: 'answered at once; a caller with fewer gets a place of the one with most',
      attack: {
        file: 'test/connect/sessions.test.ts',
        test: 'of one caller are a quarter of those that may be: others wait as before',
      },
    },
    {
      of: 'wallets that answer as one installation of a wallet app, each with its latest command',
      owner: 'the first wallet that answered as the installation',
      max: '16, and four places that later wallets share',
      share: 'one command to each of the 16, and to each wallet that has one of the four places',
      beyond: 'of later wallets, those with the latest commands have the four places',
      note: 'A caller is shown the command that it has submitted itself, then the one to the first wallet, then the one that expires first.',
      attack: {
        file: 'test/connect/sessions.test.ts',
        test: 'of a stranger who answers a session of its own as the same installation hides none to the wallets of the owner',
      },
    },
  ],
  memory: [
    {
      of: 'reads that wait for a change of a connection session',
      max: { setting: 'MAX_WAITING_SESSION_READS' },
      bytesEach: WAIT_BYTES,
      besideConnection: true,
    },
  ],
  retentions: [CONNECT_SESSION_RETENTION, ANSWERED_SESSION_RETENTION, CONNECT_COMMAND_RETENTION],
  projections: [connectionsProjection],
  routes: async ({ config, engine, engines, readWait, handle, clock, use }) =>
    connectRoutes({
      store: engines.store,
      views: engine.views,
      handle,
      foldWaitMs: readWait.waitMs,
      waitLimit: createWaitLimit(config.of(settings).MAX_WAITING_SESSION_READS),
      waitMs: readWait.longPollMs,
      sourceOf: await use(callerSource),
      maxSessions: config.of(settings).MAX_CONNECT_SESSIONS,
      clock,
    }),
};
