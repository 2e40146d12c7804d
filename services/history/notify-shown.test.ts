import { formatTonAddress } from '../../contracts/account/address';
import type { StoredTransaction } from '../../contracts/http/history/stored-transaction';
import { JsonText } from '../../contracts/json/json-text';
import { notifyShown } from './notify-shown';

const friendly = (n: number): string => formatTonAddress(`0:${String(n).padStart(64, '0')}`, 'mainnet');
const rowOf = (n: number) => ({
  hash: `hash ${n}`,
  row: new JsonText<StoredTransaction>(`{"address":"${friendly(n)}"}`),
});

const [READER, OTHER] = [{ ip: '192.0.2.1' }, { ip: '198.51.100.7' }];

it('notifies of the addresses of each row once a minute, on each network and for each reader', () => {
  const onShown = jest.fn();
  let now = 1;
  const notify = notifyShown(onShown, () => now);
  notify('mainnet', [rowOf(1), rowOf(2)], READER);
  notify('mainnet', [rowOf(3), rowOf(1)], READER);
  notify('mainnet', [rowOf(3), rowOf(2)], READER);
  notify('testnet', [rowOf(1)], READER);
  notify('mainnet', [rowOf(3)], OTHER);
  now += 61_000;
  notify('mainnet', [rowOf(2)], READER);
  expect(onShown.mock.calls).toEqual([
    ['mainnet', [friendly(1), friendly(2)], READER],
    ['mainnet', [friendly(3)], READER],
    ['testnet', [friendly(1)], READER],
    ['mainnet', [friendly(3)], OTHER],
    ['mainnet', [friendly(2)], READER],
  ]);
});
