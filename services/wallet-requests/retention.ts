import { WALLET_REQUEST_CATEGORY } from '../../contracts/events/wallet-request';
import { removeByDecider, type Retention } from '../retention/retention';
import { walletRequestKind } from './decider';

/** A signature creates no request again: it is valid for minutes. */
export const WALLET_REQUEST_RETENTION: Retention = {
  name: 'wallet_request',
  of: 'wallet requests that have ended',
  category: WALLET_REQUEST_CATEGORY,
  textsOf: 'ton:',
  days: 90,
  hasNoDocument: ({ type }) => type === 'WalletRequestRemoved',
  remove: removeByDecider(walletRequestKind),
};
