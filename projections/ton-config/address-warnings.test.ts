import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { addressWarningsProjection } from './address-warnings';

const at = '2026-03-01T12:00:00.000Z';
const alice = { network: 'mainnet', address: `0:${'a1'.repeat(32)}` };
const bob = { network: 'testnet', address: `0:${'b0'.repeat(32)}` };
const event = (type: 'Added' | 'Removed', about: object, warning: string) =>
  [
    'addressWarning-x',
    { type: `AddressWarning${type}`, data: { ...about, warning, at, by: 'ann' }, metadata: { v: 1 } },
  ] as const;

it('has the addresses that wallets warn of now', () =>
  given(
    addressWarningsProjection,
    history(
      event('Added', alice, 'restrict_send'),
      event('Added', alice, 'spam'),
      event('Added', bob, 'restrict_send'),
      event('Added', bob, 'spam'),
      event('Removed', bob, 'restrict_send'),
    ),
  ).then({
    address_warnings: [
      { _id: `ton:mainnet:${alice.address}`, ...alice, warnings: ['spam', 'restrict_send'] },
      { _id: `ton:testnet:${bob.address}`, ...bob, warnings: ['spam'] },
    ],
  }));

it('forgets an address without warnings', () =>
  given(
    addressWarningsProjection,
    history(event('Added', alice, 'spam'), event('Removed', alice, 'spam')),
  ).then({ address_warnings: [] }));
