import { formatTonAddress } from '../../contracts/account/address';
import type { StoredTransaction } from '../../contracts/http/history/stored-transaction';
import { JsonText } from '../../contracts/json/json-text';
import { notifyShown } from './notify-shown';

const friendly = (n: number): string => formatTonAddress(`0:${String(n).padStart(64, '0')}`, 'mainnet');
const rowOf = (n: number) => ({
  hash: `hash ${n}`,
  row: new JsonText<StoredTransaction>(`{"address":"${friendly(n)}"}`),
});

it('notifies of the addresses of each row once a minute, on each network', () => {
  const onShown = jest.fn();
  let now = 1;
  const notify = notifyShown(onShown, () => now);
  notify('mainnet', [rowOf(1), rowOf(2)]);
  notify('mainnet', [rowOf(3), rowOf(1)]);
  notify('mainnet', [rowOf(3), rowOf(2)]);
  notify('testnet', [rowOf(1)]);
  now += 61_000;
  notify('mainnet', [rowOf(2)]);
  expect(onShown.mock.calls).toEqual([
    ['mainnet', [friendly(1), friendly(2)]],
    ['mainnet', [friendly(3)]],
    ['testnet', [friendly(1)]],
    ['mainnet', [friendly(2)]],
  ]);
});
