import type { ResponseExamples } from './endpoint';
import { examples as applications } from './response-examples/application-configuration-catalog-banners';
import { examples as billing } from './response-examples/billing-administration';
import { examples as cards } from './response-examples/card-service';
import { examples as cloudStorage } from './response-examples/cloud-storage';
import { examples as exchange } from './response-examples/exchange';
import { examples as gasless } from './response-examples/gasless-transfers';
import { examples as health } from './response-examples/health';
import { examples as miscellaneous } from './response-examples/miscellaneous';
import { examples as rates } from './response-examples/rates';
import { examples as solana } from './response-examples/solana';
import { examples as stakedUsde } from './response-examples/staked-usde';
import { examples as staking } from './response-examples/staking';
import { examples as connections } from './response-examples/ton-connect-and-connections';
import { examples as bridge } from './response-examples/ton-connect-bridge';
import { examples as tonRpc } from './response-examples/ton-rpc-node';
import { examples as tonTokens } from './response-examples/ton-tokens';
import { examples as ton } from './response-examples/ton-transactions-status-configuration-contracts';
import { examples as walletRequests } from './response-examples/wallet-requests';

/** The answers to the examples of all operations, as a program has given them. */
export const RESPONSE_EXAMPLES: ResponseExamples = {
  ...applications,
  ...billing,
  ...cards,
  ...cloudStorage,
  ...exchange,
  ...gasless,
  ...health,
  ...miscellaneous,
  ...rates,
  ...solana,
  ...stakedUsde,
  ...staking,
  ...connections,
  ...bridge,
  ...tonRpc,
  ...tonTokens,
  ...ton,
  ...walletRequests,
};
