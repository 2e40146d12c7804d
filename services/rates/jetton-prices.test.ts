import type { Jetton } from '../../contracts/chain/pool-prices';
import { createJettonPrices } from './jetton-prices';

it('has the prices of the jettons of a list read, of the first hundred, and waits for none', async () => {
  const demanded: Jetton[] = [];
  const prices = createJettonPrices({ getMany: async () => new Map() }, 'live', jettons => {
    demanded.push(...jettons);
    return new Promise(() => undefined);
  });
  const masters = Array.from({ length: 150 }, (_, n) => `0:${String(n).padStart(64, '0')}`);
  expect(await prices.find('testnet', masters)).toEqual(new Map());
  expect(demanded).toEqual(masters.slice(0, 100).map(master => ({ network: 'testnet', master })));
});
