import { CONNECTIONS } from '../../../contracts/http/connect/connect';
import { connectionsProjection } from '../../../projections/connect/connections';
import { CONNECT_COMMAND_RETENTION, CONNECT_SESSION_RETENTION } from '../../../services/connect/retention';
import { connectRoutes } from '../../../services/connect/routes';
import { createWaitLimit } from '../../../services/read-until';
import type { Feature } from '../feature';
import { callerSource } from '../requests/caller-source';
import { WAIT_BYTES } from '../memory-use';
import { count } from '../../config/settings';

const settings = { MAX_WAITING_SESSION_READS: count.default(5_000) };

/** Connection sessions of applications with wallets, and their commands. */
export const connect: Feature = {
  name: 'connect',
  settings,
  renamedSettings: { CONNECT_WAIT_LIMIT: 'MAX_WAITING_SESSION_READS' },
  quotas: [CONNECTIONS],
  bounds: [
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
  retentions: [CONNECT_SESSION_RETENTION, CONNECT_COMMAND_RETENTION],
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
      clock,
    }),
};
