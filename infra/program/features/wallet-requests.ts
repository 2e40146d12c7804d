import { WALLET_REQUESTS } from '../../../contracts/http/connect/wallet-requests';
import { walletRequestsProjection } from '../../../projections/wallet-requests/wallet-requests';
import { createKeyedMutex } from '../../../services/commands/keyed-mutex';
import { createWalletKeys } from '../../../services/signing/wallet-key';
import { keepExpiringRequests } from '../../../services/wallet-requests/expire';
import { MAX_PENDING_TO_WALLET, PLACES, TURNS } from '../../../services/wallet-requests/places';
import { WALLET_REQUEST_RETENTION } from '../../../services/wallet-requests/retention';
import { walletRequestRoutes } from '../../../services/wallet-requests/routes';
import { personalTexts } from '../personal-texts';
import type { Feature } from '../feature';
import { jobHandlers } from '../roles/jobs';
import { callerSource } from '../requests/caller-source';
import { contractReader } from './ton-contracts';

/** Requests between wallets to confirm who owns them. */
export const walletRequests: Feature = {
  name: 'wallet-requests',
  quotas: [WALLET_REQUESTS],
  bounds: [PLACES, TURNS],
  retentions: [WALLET_REQUEST_RETENTION],
  projections: [walletRequestsProjection],
  routes: async deps =>
    walletRequestRoutes({
      views: deps.engine.views,
      handle: deps.handle,
      texts: await deps.use(personalTexts),
      exclusive: createKeyedMutex(MAX_PENDING_TO_WALLET),
      sourceOf: await deps.use(callerSource),
      findKey: createWalletKeys(contractReader(deps), deps.networks.followed),
      clock: deps.clock,
      logger: deps.logger,
      waitMs: deps.readWait.waitMs,
    }),
  workers: [
    jobHandlers('wallet_requests', ({ engine, handle, clock }) => [
      signal => keepExpiringRequests({ views: engine.views, handle, clock }, signal),
    ]),
  ],
};
