import { tokenCommands } from './tokens/commands';
import { trustMintless } from './tokens/trust-mintless';
import { tonDecoder } from '../../../indexers/ton/decode/decode';
import { customPayloadObservation } from '../../../indexers/ton/observations/custom-payload';
import { extraCurrenciesObservation } from '../../../indexers/ton/observations/extra-currencies';
import { jettonMasterObservation } from '../../../indexers/ton/observations/jetton-master';
import {
  jettonBalanceObservation,
  jettonWalletAddressRead,
  jettonWalletObservation,
} from '../../../indexers/ton/observations/jetton-wallet';
import { ownedJettonObservation, unreadOwnedJetton } from '../../../indexers/ton/observations/owned-jetton';
import { jettonPoolObservation } from '../../../indexers/ton/observations/pool';
import { gatewayUrl } from '../../../indexers/ton/observations/public-web';
import { tokenDocumentObservation } from '../../../indexers/ton/observations/token-document';
import { tokenImage } from '../../../indexers/ton/observations/token-image';
import { tonJettonsProjection } from '../../../projections/ton/jettons/projection';
import { tokenVerificationsProjection } from '../../../projections/tokens/verifications';
import { tonTransactions } from '../../../projections/ton/transactions/queries';
import { knownCurrencies } from '../../../services/tokens/known-currencies';
import { tokenRoutes } from '../../../services/tokens/routes';
import type { Feature } from '../feature';
import { watchOf } from './watch/account-watch';
import { publicUrlSettings } from '../settings/public-url';
import { rateLimits } from '../requests/rate-limits';
import { json } from '../../config/settings';
import { jettonPrices } from './rates';

const settings = {
  EXTRA_CURRENCIES: json.pipe(knownCurrencies).prefault('{}'),
  ...publicUrlSettings,
};

/** The tokens of TON: the jettons of an owner, their balances, and what they say of themselves. */
export const tokens: Feature = {
  name: 'tokens',
  commands: tokenCommands,
  onLocalNetwork: trustMintless,
  settings,
  projections: [tonJettonsProjection(tonDecoder), tokenVerificationsProjection],
  observations: [
    jettonMasterObservation,
    jettonWalletObservation,
    jettonBalanceObservation,
    tokenDocumentObservation,
    extraCurrenciesObservation,
    customPayloadObservation,
    jettonPoolObservation,
    ownedJettonObservation,
  ],
  async routes(deps) {
    const { engine, readWait, logger, clock } = deps;
    const { EXTRA_CURRENCIES, PUBLIC_URL } = deps.config.of(settings);
    return tokenRoutes({
      views: engine.views,
      transactions: tonTransactions(engine.views),
      watch: watchOf(deps),
      masters: deps.observed(jettonMasterObservation),
      wallets: deps.observed(jettonWalletObservation),
      balances: deps.observed(jettonBalanceObservation),
      documents: deps.observed(tokenDocumentObservation),
      pools: deps.observed(jettonPoolObservation),
      payloads: deps.observed(customPayloadObservation),
      ownedJettons: deps.observed(ownedJettonObservation),
      unrecordedOwnedJettons: deps.unrecorded(unreadOwnedJetton),
      extraCurrencies: deps.observed(extraCurrenciesObservation),
      knownCurrencies: EXTRA_CURRENCIES,
      walletAddress: deps.unrecorded(jettonWalletAddressRead),
      prices: await deps.use(jettonPrices),
      gatewayUrl,
      tokenImage: deps.unrecorded(tokenImage),
      publicUrl: PUBLIC_URL ?? null,
      limits: () => deps.use(rateLimits),
      logger,
      clock,
      ...readWait,
    });
  },
};
