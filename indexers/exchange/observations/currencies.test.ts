import { EXCHANGE_TARGETS } from '../../../contracts/http/exchange/fields';
import type { PartnerCall, PartnerCurrency } from '../../../contracts/ports/exchange-partner';
import { observe } from '../../../test/contracts/observation';
import { exchangeCurrenciesObservation as observation } from './currencies';

const currency = (ticker: string): PartnerCurrency => ({
  ticker,
  name: ticker.toUpperCase(),
  fullName: ticker,
  image: '',
  enabled: true,
  decimals: 8,
  blockchain: 'bitcoin',
  network: null,
  contractAddress: null,
  extraIdName: null,
});

async function read(all: readonly string[], sources: readonly string[]) {
  const calls: PartnerCall[] = [];
  const exchange = {
    sandbox: false,
    async currencies(call: PartnerCall) {
      calls.push(call);
      return all.map(currency);
    },
    async sourcesOf(to: string, call: PartnerCall) {
      calls.push(call);
      return to === 'sol' ? sources : [];
    },
  };
  const { height, data } = await observe(observation, { to: 'sol' }, { exchange });
  expect(height).toBeNull();
  expect(calls.map(({ priority }) => priority)).toEqual(['background', 'background']);
  return data;
}

it('has the currencies that can be given, by ticker, behind what people wait for', async () => {
  const { sandbox, currencies } = await read(['ton', 'sol', 'btc', 'eth'], ['eth', 'unknown', 'btc']);
  expect(sandbox).toBe(false);
  expect(currencies).toEqual([currency('btc'), currency('eth')]);
});

it('fits into a record, however many the partner has', async () => {
  const tickers = Array.from({ length: 5_000 }, (_, index) => `coin${index}`);
  const { currencies } = await read(tickers, tickers);
  expect(currencies).toHaveLength(1_500);
});

it('writes what is received so that it reads it back, and nothing else', () => {
  const { format, parse } = observation.subject;
  for (const to of EXCHANGE_TARGETS) expect(parse(format({ to }))).toEqual({ to });
  for (const text of ['', 'btc', 'TON', '__proto__']) expect(() => parse(text)).toThrow();
});
