import { formatTonAddress } from '../../contracts/account/address';
import { walletConfigOf } from './wallet-config';

const [first, second] = [`0:${'aa'.repeat(32)}`, `0:${'bb'.repeat(32)}`];

it('recommends the first of the pools', () => {
  const [a, b] = [first, second].map(pool => formatTonAddress(pool, 'testnet'));
  expect(walletConfigOf(null, 'testnet', [first, second])).toMatchObject({ pools: [a, b], recommended: a });
});

it('recommends nothing without pools: wallets parse it as an address', () => {
  const config = walletConfigOf(null, 'testnet', []);
  expect(config).toMatchObject({ pools: [] });
  expect(config).not.toHaveProperty('recommended');
});
