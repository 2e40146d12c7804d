import { NO_PROGRESS } from '../../contracts/events/exchange-order';
import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { payinAddressesProjection } from './payin-addresses';
import { serviceAddressesProjection } from './service-addresses';

const RAW = `0:${'ab'.repeat(32)}`;
const ton = { chain: 'ton', network: 'mainnet', address: RAW };
const solana = {
  chain: 'solana',
  network: 'mainnet',
  address: 'So11111111111111111111111111111111111111112',
};
const at = '2026-03-01T12:00:00.000Z';

const changed = (account: typeof ton, type: 'Added' | 'Removed', data: object = {}) =>
  [
    `serviceAddress-${account.chain}:${account.network}:${account.address}`,
    { type: `ServiceAddress${type}`, data: { account, at, by: 'ann', ...data }, metadata: { v: 1 } },
  ] as const;

it('has what operators said last of each address', () => {
  const deposit = { service: 'holders', type: 'deposit', icon: null };
  const card = { service: 'holders', type: 'card', icon: 'https://example.com/card.png' };
  return given(
    serviceAddressesProjection,
    history(
      changed(ton, 'Added', deposit),
      changed(solana, 'Added', deposit),
      changed(solana, 'Removed'),
      changed(ton, 'Added', card),
    ),
  ).then({ service_addresses: [{ _id: `ton:mainnet:${RAW}`, ...card }] });
});

const order = (orderId: string, type: string, data: object) =>
  [`exchangeOrder-${orderId}`, { type, data: { orderId, at, ...data }, metadata: { v: 1 } }] as const;
const placed = (orderId: string, payinAddress: string, how: 'Created' | 'Adopted' = 'Created') =>
  order(orderId, `ExchangeOrder${how}`, {
    partnerOrderId: orderId,
    partnerCreatedAt: at,
    payinAddress,
    payinExtraId: null,
    payoutAddress: 'payout',
    refundAddress: null,
    amountExpectedFrom: '1',
    amountExpectedTo: '2',
    expiresAt: at,
    trackUrl: null,
    progress: NO_PROGRESS,
  });
const moved = (orderId: string, from: string, to: string, shown = to) =>
  order(orderId, 'ExchangeOrderStatusObserved', { from, to, shown, progress: NO_PROGRESS });

it('has the accounts of TON and Solana that exchange orders are paid to, until they are paid out or returned', () =>
  given(
    payinAddressesProjection,
    history(
      placed('bitcoin', 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh'),
      placed('friendly', 'EQCrq6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq8Uk'),
      placed('adopted', solana.address, 'Adopted'),
      placed('shared', solana.address),
      placed('late', RAW),
      moved('shared', 'waiting', 'confirming'),
      moved('shared', 'confirming', 'finished'),
      order('shared', 'ExchangePayoutSent', { hash: 'out', amount: null }),
      moved('late', 'waiting', 'overdue'),
      order('late', 'ExchangeOrderResolved', { from: 'overdue', by: 'wallet', resolution: 'dismissed' }),
      placed('returned', RAW),
      moved('returned', 'waiting', 'refunded'),
    ),
  ).then({
    exchange_payin_addresses: [
      { _id: 'adopted', account: `solana:mainnet:${solana.address}` },
      { _id: 'friendly', account: `ton:mainnet:${RAW}` },
      { _id: 'late', account: `ton:mainnet:${RAW}` },
    ],
  }));
