import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Address } from '@ton/core';
import type { PriceRecord } from '../../../../contracts/chain/prices';
import { readPriceSource } from '../../../../indexers/rates/read-sources';
import { webOf } from '../../../../test/doubles/public-web';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openPriceFile } from './price-file';
import { WrongSettings } from '../../../config/settings';

const folder = temporaryFolder();

const file = join(folder, 'rates.json');
const logged: string[] = [];
const logger = {
  info: (_: unknown, message?: string) => void logged.push(message!),
  warn: (_: unknown, message?: string) => void logged.push(message!),
};
const master = new Address(0, Buffer.alloc(32, 7));

function opened(content: unknown, isTonElsewhere = false) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return openPriceFile(file, { realm: 'live', isTonElsewhere }, logger);
}

/** The prices that are published when it is read once. */
async function published({ source }: ReturnType<typeof openPriceFile>) {
  const records: PriceRecord[] = [];
  const publish = async (_: string, messages: readonly { value: Buffer }[]) =>
    void records.push(...messages.map(({ value }) => JSON.parse(value.toString()) as PriceRecord));
  const deps = { sources: [], web: webOf({}), log: { publish }, logger, now: () => Date.UTC(2026, 0, 1) };
  await readPriceSource(deps, source, new AbortController().signal);
  for (const { source, quorum, at } of records)
    expect([source, quorum, at]).toEqual(['file', 1, '2026-01-01T00:00:00.000Z']);
  return Object.fromEntries(records.map(({ asset, price }) => [asset, price]));
}

test('its prices are published, and need no other source to agree', async () => {
  const prices = opened({
    coins: { TON: '3.01', SOL: 150.5 },
    currencies: { EUR: '0.86' },
    jettons: { mainnet: { [master.toString()]: '1.50' }, testnet: { [master.toRawString()]: '2' } },
  });
  expect(await published(prices)).toEqual({
    'live/coin/TON': '3.01',
    'live/coin/SOL': '150.5',
    'live/currency/EUR': '0.86',
    [`live/jetton/mainnet/${master.toRawString()}`]: '1.5',
    [`live/jetton/testnet/${master.toRawString()}`]: '2',
  });
});

test('a change counts; while the file is broken nothing is published as if it were new, and health says why', async () => {
  const prices = opened({ coins: { TON: '1' } });
  expect(await published(prices)).toEqual({ 'live/coin/TON': '1' });
  writeFileSync(file, '{"coins":{"TON":"2"}}');
  expect(await published(prices)).toEqual({ 'live/coin/TON': '2' });
  expect(await prices.check.run()).toBeNull();

  for (const broken of ['{"coins":{"TON":"3"', '{"coins":{"TON":"-3"}}']) {
    writeFileSync(file, broken);
    expect(await published(prices)).toEqual({});
  }
  expect(await prices.check.run()).toBe('PRICE_FILE: coins: TON: not a positive decimal');
  rmSync(file);
  expect(await published(prices)).toEqual({});
  expect(await prices.check.run()).toBe('PRICE_FILE: there is no such file');

  writeFileSync(file, '{"coins":{"SOL":"4"}}');
  expect(await published(prices)).toEqual({ 'live/coin/SOL': '4' });
  expect(await prices.check.run()).toBeNull();
  expect(logged).toEqual([
    'cannot use the price file; serving its last prices, which are growing stale',
    'the price file can be used again',
  ]);
});

test.each([
  ['', 'JSON'],
  ['[]', 'must be an object'],
  [{}, 'it has no price'],
  [{ coins: { SOL: '150' }, currencies: { EUR: '0.86' } }, 'it has no price of TON'],
  [{ coins: { BTC: '1' } }, 'BTC'],
  [{ coins: { TON: '0' } }, 'coins: TON: not a positive decimal'],
  [{ coins: { TON: '1e3' } }, 'coins: TON: not a positive decimal'],
  [{ currencies: { USD: '1' } }, 'USD'],
  [{ jettons: { mainnet: { nonsense: '1' } } }, 'jettons: mainnet: nonsense: not an address of mainnet'],
  [{ jettons: { mainnet: { [master.toString({ testOnly: true })]: '1' } } }, 'not an address of mainnet'],
  [{ prices: {} }, 'prices'],
])('the start refuses %j', (content, why) => {
  const start = () => opened(content);
  expect(start).toThrow(WrongSettings);
  expect(start).toThrow(/^PRICE_FILE=/);
  expect(start).toThrow(why);
});

test('the start refuses a file that is not there', () => {
  const start = () =>
    openPriceFile(join(folder, 'none.json'), { realm: 'local', isTonElsewhere: true }, logger);
  expect(start).toThrow(/^PRICE_FILE=".*none.json": there is no such file$/);
});

test('a file without the price of TON is of use beside a source that has it', async () => {
  expect(await published(opened({ currencies: { EUR: '0.86' } }, true))).toEqual({
    'live/currency/EUR': '0.86',
  });
});
