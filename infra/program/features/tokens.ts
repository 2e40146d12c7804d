import { MEBIBYTE } from '../../config/bytes';
import { TON_NETWORKS } from '../../../contracts/network/network';
import type { Bound } from '../../../contracts/bound';
import { tokenCommands } from './tokens/commands';
import { trustMintless } from './tokens/trust-mintless';
import { tonDecoder } from '../../../indexers/ton/decode/decode';
import { customPayloadObservation } from '../../../indexers/ton/observations/custom-payload';
import { extraCurrenciesObservation } from '../../../indexers/ton/observations/extra-currencies';
import { SLOW_MS } from '../../../indexers/slow-sites';
import { jettonMasterObservation } from '../../../indexers/ton/observations/jetton-master';
import {
  jettonBalanceObservation,
  jettonWalletAddressRead,
  jettonWalletObservation,
} from '../../../indexers/ton/observations/jetton-wallet';
import { ownedJettonObservation, unreadOwnedJetton } from '../../../indexers/ton/observations/owned-jetton';
import { jettonPoolObservation } from '../../../indexers/ton/observations/pool';
import { gatewayUrl, PUBLIC_WEB_SLOTS } from '../../../indexers/ton/observations/public-web';
import { tokenDocumentObservation } from '../../../indexers/ton/observations/token-document';
import { IMAGE_READS, tokenImage } from '../../../indexers/ton/observations/token-image';
import { tonJettonsProjection } from '../../../projections/ton/jettons/projection';
import { tokenVerificationsProjection } from '../../../projections/tokens/verifications';
import { tonTransactions } from '../../../projections/ton/transactions/queries';
import { MAX_ASKED_ABOUT, MAX_WAITING } from '../../../services/tokens/discovery';
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

const bounds: readonly Bound[] = [
  {
    of: 'images of tokens that a process reads at a time, of each network',
    owner: 'all who ask for an image',
    max: `${IMAGE_READS}, and 1,000 that wait; of SVGs one is drawn while three wait for that`,
    share:
      'a quarter, and so have the documents of one domain or one content of IPFS; callers take turns, each with its oldest read',
    beyond:
      '503 `not_ready` for the newest of the caller with most, and for those of a domain that has its share',
    attack: {
      file: 'indexers/ton/observations/token-image.test.ts',
      test: 'of a server that stalls have a share of the reads, by however many callers: those of another go on',
    },
  },
  {
    of: 'documents of tokens, and payloads of jettons, that a process reads from servers at a time',
    owner: 'all callers',
    max: `${PUBLIC_WEB_SLOTS}, and 1,000 that wait`,
    share:
      'a quarter, and so have all of one domain or one content of IPFS; callers take turns, each with its oldest read; what several wait for comes with the first turn',
    beyond:
      'the newest read of the caller with most is not begun, and requested again when the token is read',
    note: `All domains that have kept a process waiting for ${SLOW_MS / 1_000} seconds or more have a quarter together, until they answer sooner, ten minutes at most. A process that answers callers knows each by a name of its own: one that several of them answer has a turn with each.`,
    attack: {
      file: 'test/ton/token-documents.test.ts',
      test: 'a document is read after one of each stranger, when each asks for sites of its own',
    },
  },
  {
    of: 'owners about whom jetton masters are asked at a time',
    owner: 'all callers',
    max: `${MAX_ASKED_ABOUT} in a process, and ${MAX_WAITING} that wait`,
    share: 'a quarter; callers take turns, each with its oldest owner',
    beyond:
      'of the newest owner of the caller with most, what its transactions do not name is found when it is read again',
    attack: {
      file: 'services/tokens/discovery.test.ts',
      test: 'masters are asked about the owner that somebody else reads',
    },
  },
];

/** The tokens of TON: the jettons of an owner, their balances, and what they say of themselves. */
export const tokens: Feature = {
  name: 'tokens',
  commands: tokenCommands,
  onLocalNetwork: trustMintless,
  settings,
  bounds,
  memory: [
    {
      of: 'documents of tokens that are being read, as they arrive and as they are parsed',
      max: PUBLIC_WEB_SLOTS + TON_NETWORKS.length * IMAGE_READS,
      bytesEach: 2 * MEBIBYTE,
    },
  ],
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
