import { formatTonAddress } from '../../contracts/address';
import type { StoredTransaction } from '../../contracts/http/stored-transaction';
import { JsonText } from '../../contracts/json-text';
import { tellShown } from './tell-shown';

const friendly = (n: number): string => formatTonAddress(`0:${String(n).padStart(64, '0')}`, 'mainnet');
const rowOf = (n: number) => ({
  hash: `hash ${n}`,
  row: new JsonText<StoredTransaction>(`{"address":"${friendly(n)}"}`),
});

it('tells of the addresses of each row once a minute, on each network', () => {
  const onShown = jest.fn();
  let now = 1;
  const tell = tellShown(onShown, () => now);
  tell('mainnet', [rowOf(1), rowOf(2)]);
  tell('mainnet', [rowOf(3), rowOf(1)]);
  tell('mainnet', [rowOf(3), rowOf(2)]);
  tell('testnet', [rowOf(1)]);
  now += 61_000;
  tell('mainnet', [rowOf(2)]);
  expect(onShown.mock.calls).toEqual([
    ['mainnet', [friendly(1), friendly(2)]],
    ['mainnet', [friendly(3)]],
    ['testnet', [friendly(1)]],
    ['mainnet', [friendly(2)]],
  ]);
});
