import { GASLESS_ESTIMATES, GASLESS_SENDS } from '../../../contracts/http/ton/gasless';
import { gaslessSendsProjection } from '../../../projections/gasless/sends';
import {
  GASLESS_BUDGET_RETENTION,
  GASLESS_HANDOVER_RETENTION,
  GASLESS_QUOTE_RETENTION,
  GASLESS_RELAY_RETENTION,
  GASLESS_SEND_RETENTION,
} from '../../../services/gasless/retention';
import { gaslessRoutes } from '../../../services/gasless/routes';
import { withNodeProblems } from '../../../services/gasless/node-problems';
import { KIBIBYTE } from '../../config/bytes';
import { GASLESS_TRANSFERS, MAX_TRANSFERS } from '../../../services/gasless/transfer-semaphore';
import type { Feature } from '../feature';
import { callerSource } from '../requests/caller-source';
import { rateLimits } from '../requests/rate-limits';
import { gaslessBounds } from './gasless/bounds';
import { gaslessCommands } from './gasless/commands';
import { gaslessRelayers } from './gasless/relayers';
import { gaslessUpstreams } from './gasless/upstreams';
import { watchOf } from './watch/account-watch';
import { gaslessSendingWith } from './gasless/sending';
import { checkGaslessSettings, GASLESS_SETTINGS } from './gasless/settings';

/** Transfers of jettons by wallets without TON, which a relayer pays for. */
export const gasless: Feature = {
  name: 'gasless',
  commands: gaslessCommands,
  settings: GASLESS_SETTINGS,
  settingPrefixes: ['GASLESS_'],
  checkSettings: checkGaslessSettings,
  projections: [gaslessSendsProjection],
  quotas: [GASLESS_ESTIMATES, GASLESS_SENDS],
  bounds: [GASLESS_TRANSFERS, ...gaslessBounds],
  memory: [
    {
      of: 'gasless transfers that are estimated, checked, or wait for that, with their requests',
      max: MAX_TRANSFERS,
      bytesEach: 256 * KIBIBYTE,
      besideConnection: true,
    },
  ],
  retentions: [
    GASLESS_QUOTE_RETENTION,
    GASLESS_BUDGET_RETENTION,
    GASLESS_SEND_RETENTION,
    GASLESS_HANDOVER_RETENTION,
    GASLESS_RELAY_RETENTION,
  ],
  routes: async deps => {
    const { engines, handle, clock, logger, sources, use } = deps;
    const upstreams = await use(gaslessUpstreams);
    return gaslessRoutes({
      store: engines.store,
      handle,
      clock,
      logger,
      relayer: await use(gaslessRelayers),
      upstream: upstreams.of,
      client: network => withNodeProblems(sources.clients.ton(network), network),
      watch: watchOf(deps),
      limits: () => use(rateLimits),
      sourceOf: await use(callerSource),
    });
  },
};

export const gaslessSending = gaslessSendingWith(({ use }) => use(gaslessRelayers));
