import type { Kind } from './kind';
import { ACCOUNT_LIFECYCLE } from './account-lifecycle';
import { CONTRACT_CALLS } from './contract-calls';
import { FAILURES } from './failures';
import { JETTON_SUPPLY } from './jetton-supply';
import { JETTON_TRANSFERS } from './jetton-transfers';
import { STAKES } from './stakes';
import { TRANSFERS } from './transfers';
import { WALLET_REQUESTS } from './wallet-requests';

/** Every kind of transaction that a wallet meets. */
export const KINDS: readonly Kind[] = [
  ...TRANSFERS,
  ...WALLET_REQUESTS,
  ...FAILURES,
  ...ACCOUNT_LIFECYCLE,
  ...JETTON_TRANSFERS,
  ...JETTON_SUPPLY,
  ...STAKES,
  ...CONTRACT_CALLS,
];
