import { walletRequestsProjection } from '../../projections/wallet-requests/wallet-requests';
import { describeRetention } from '../../test/contracts/retention';
import { WALLET_REQUEST } from '../../test/events/samples/wallet-request';
import { WALLET_REQUEST_RETENTION } from './retention';

const { answer, expired } = WALLET_REQUEST;
const created = ['WalletRequestCreated', WALLET_REQUEST.created, 2] as const;

describeRetention(WALLET_REQUEST_RETENTION, [walletRequestsProjection], {
  goes: {
    'a request that was confirmed': [created, ['WalletRequestConfirmed', answer]],
    'a request that was declined': [created, ['WalletRequestDeclined', answer]],
    'a request that nobody has answered': [created, ['WalletRequestExpired', expired]],
  },
  stays: { 'a request that is pending': [created] },
});
