import { OBSERVATIONS_TOPIC, type Observation } from '../../contracts/observation/observation';
import { SHARED_QUOTAS, type Quota } from '../../contracts/quota';
import type { TopicSpec } from '../../contracts/ports/log';
import { observationProjection } from '../../projections/observations/projection';
import type { Projection } from '../../projections/projection';
import type { Reaction as EventReaction } from '../../services/reactions/event-reaction';
import type { MessageReaction } from '../../services/reactions/message-reaction';
import type { Engines } from '../engines/engines';
import type { Feature, OwnHost } from './feature';
import { allowedDomains } from './features/allowed-domains';
import { appConfig } from './features/app-config';
import { apps } from './features/apps';
import { banners } from './features/banners';
import { billing } from './features/billing';
import { bridge } from './features/bridge';
import { clientErrors } from './features/client-errors';
import { connect } from './features/connect';
import { elections } from './features/elections';
import { erasure } from './features/erasure';
import { exchange } from './features/exchange';
import { exchangePlacing } from './features/exchange/placing';
import { exchangeTracking } from './features/exchange/tracking';
import { history } from './features/history';
import { ledger } from './features/ledger';
import { nfts } from './features/nfts';
import { oldWallets } from './features/old-wallets';
import { push } from './features/push';
import { rates } from './features/rates';
import { serviceAddresses } from './features/service-addresses';
import { solana } from './features/solana';
import { storage } from './features/storage';
import { tokens } from './features/tokens';
import { ton } from './features/ton';
import { tonRpc } from './features/ton-rpc';
import { tonConfig } from './features/ton-config';
import { tonContracts } from './features/ton-contracts';
import { walletRequests } from './features/wallet-requests';
import { watch } from './features/watch';
import type { DefineMetrics } from './metrics';
import type { Config } from '../config/settings';

/** Every functional group of the program. Nothing else names them. */
export const FEATURES: readonly Feature[] = [
  watch,
  ton,
  tonRpc,
  tonContracts,
  tonConfig,
  tokens,
  nfts,
  elections,
  oldWallets,
  rates,
  serviceAddresses,
  solana,
  history,
  bridge,
  storage,
  connect,
  walletRequests,
  exchange,
  exchangePlacing,
  exchangeTracking,
  push,
  appConfig,
  allowedDomains,
  banners,
  apps,
  clientErrors,
  billing,
  ledger,
  erasure,
];

/** All quotas, those that groups share first. */
export const QUOTAS: readonly Quota[] = [...SHARED_QUOTAS, ...FEATURES.flatMap(({ quotas = [] }) => quotas)];

export const METRICS: readonly DefineMetrics[] = FEATURES.flatMap(({ metrics }) => metrics ?? []);

export const OBSERVATIONS: readonly Observation[] = FEATURES.flatMap(({ observations = [] }) => observations);

export const PROJECTIONS: readonly Projection[] = [
  ...FEATURES.flatMap(({ projections = [] }) => projections),
  ...OBSERVATIONS.map(observationProjection),
];

/** All topics of the log. The first process to start creates them: a projection must not depend on an indexer having run. */
export const TOPICS: readonly TopicSpec[] = [
  ...FEATURES.flatMap(({ topics = [] }) => topics),
  OBSERVATIONS_TOPIC,
];

/** The paths with a port of their own in a process of these roles. */
export function ownHosts(config: Config, roles: readonly string[]): readonly OwnHost[] {
  return FEATURES.flatMap(({ hosts }) => hosts?.(config) ?? []).filter(({ role }) => roles.includes(role));
}

/** The reactions of all features. */
export function reactionsOf(config: Config, engines: Engines): readonly (EventReaction | MessageReaction)[] {
  return FEATURES.flatMap(({ reactions }) => reactions?.({ config, engines }) ?? []);
}
