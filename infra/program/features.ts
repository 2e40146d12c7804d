import { featureSet } from './feature-set';
import type { FeatureSet } from './feature';
import { allowedDomains } from './features/allowed-domains';
import { appConfig } from './features/app-config';
import { apps } from './features/apps';
import { banners } from './features/banners';
import { billing } from './features/billing';
import { bridge } from './features/bridge';
import { card } from './features/card';
import { cardAccounts } from './features/card/accounts';
import { cardIssuing } from './features/card-issuing';
import { clientErrors } from './features/client-errors';
import { connect } from './features/connect';
import { elections } from './features/elections';
import { erasure } from './features/erasure';
import { exchange } from './features/exchange';
import { exchangePlacing } from './features/exchange/placing';
import { exchangeTracking } from './features/exchange/tracking';
import { gasless, gaslessSending } from './features/gasless';
import { gaslessCommissionFees } from './features/gasless/commissions';
import { gaslessHandovers } from './features/gasless/handovers';
import { history } from './features/history';
import { ledger } from './features/ledger-tree';
import { nfts } from './features/nfts';
import { oldWallets } from './features/old-wallets';
import { push } from './features/push';
import { pushCards } from './features/push/cards';
import { pushStaking } from './features/push/staking';
import { rates } from './features/rates';
import { serviceAddresses } from './features/service-addresses';
import { solana } from './features/solana';
import { staking } from './features/staking';
import { ownedStakingPools } from './features/staking/owned-pools';
import { storage } from './features/storage';
import { tokens } from './features/tokens';
import { ton } from './features/ton';
import { tonRpc } from './features/ton-rpc';
import { tonConfig } from './features/ton-config';
import { tonContracts } from './features/ton-contracts';
import { usde } from './features/usde';
import { walletRequests } from './features/wallet-requests';
import { watch } from './features/watch';
import { rolesOf } from './roles';

/** Every functional group of the program. Nothing else names them. */
export const FEATURES: FeatureSet = featureSet([
  watch,
  ton,
  tonRpc,
  tonContracts,
  tonConfig,
  tokens,
  nfts,
  elections,
  staking,
  ownedStakingPools,
  oldWallets,
  usde,
  rates,
  serviceAddresses,
  gasless,
  gaslessSending,
  gaslessHandovers,
  gaslessCommissionFees,
  solana,
  history,
  bridge,
  storage,
  connect,
  walletRequests,
  card,
  cardAccounts,
  cardIssuing,
  exchange,
  exchangePlacing,
  exchangeTracking,
  push,
  pushStaking,
  pushCards,
  appConfig,
  allowedDomains,
  banners,
  apps,
  clientErrors,
  billing,
  ledger,
  erasure,
]);

export const ROLES: readonly string[] = rolesOf(FEATURES);

export const { observations: OBSERVATIONS, projections: PROJECTIONS, topics: TOPICS } = FEATURES;
