import { formatTonAddress } from '../../contracts/account/address';
import { offeredOf } from './offered-pools';
import { walletConfigOf } from './wallet-config';

const [first, second, third] = ['aa', 'bb', 'cc'].map(byte => `0:${byte.repeat(32)}`) as [
  string,
  string,
  string,
];
const [enabled, disabled] = [{ enabled: true }, { enabled: false }];
const shown = (pools: readonly string[]): string[] => pools.map(pool => formatTonAddress(pool, 'testnet'));

it('recommends the first of the pools that takes stakes', () => {
  const offered = offeredOf(
    [
      [first, disabled],
      [second, enabled],
      [third, enabled],
    ],
    [],
  );
  expect(walletConfigOf(null, 'testnet', offered)).toMatchObject({
    pools: shown([first, second, third]),
    recommended: shown([second])[0],
  });
});

it('offers those that are there, and those of the operator, which come first', () => {
  const offered = offeredOf(
    [
      [first, null],
      [second, null],
      [third, disabled],
    ],
    [first],
  );
  expect(walletConfigOf(null, 'testnet', offered)).toMatchObject({
    pools: shown([first, third]),
    recommended: shown([first])[0],
  });
});

it('recommends nothing without pools: wallets parse it as an address', () => {
  const config = walletConfigOf(null, 'testnet', offeredOf([[first, null]], []));
  expect(config).toMatchObject({ pools: [] });
  expect(config).not.toHaveProperty('recommended');
});
