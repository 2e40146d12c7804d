import type { Quota } from '../../quota';
import { z } from 'zod';
import { endpoint } from '../endpoint';
import { changellyAlias, EXCHANGE, exchangeAmount, exchangeTarget, sandbox, ticker } from './fields';

/** Estimates for an address that no cached answer serves. */
export const EXCHANGE_ESTIMATES: Quota = {
  name: 'exchange_estimates',
  of: 'estimates of exchanges that no cached answer serves',
  by: 'address',
  perMinute: 60,
};

const text = z.string();

export const exchangeCurrency = z
  .object({
    ticker: text,
    name: text,
    fullName: text,
    image: z.string().meta({ description: 'URL; empty where there is none' }),
    enabled: z.boolean().meta({ description: '`false`: temporarily unavailable' }),
    decimals: z.int().meta({ description: 'Number of decimals that its amounts may have' }),
    blockchain: text.optional(),
    network: text.optional(),
    contractAddress: text.optional(),
    sandbox,
  })
  .meta({ id: 'ExchangeCurrency' });
export type ExchangeCurrency = z.output<typeof exchangeCurrency>;

const currenciesPath = '/exchange/currencies';
export const exchangeCurrencies = endpoint({
  ...EXCHANGE,
  method: 'GET',
  path: currenciesPath,
  aliases: changellyAlias(currenciesPath),
  summary: 'Currencies that can be exchanged for a given one',
  examples: [{ query: { currencyTo: 'ton' } }],
  query: z.object({ currencyTo: exchangeTarget.meta({ description: 'The currency to receive' }) }),
  etag: true,
  response: z.array(exchangeCurrency),
  errors: ['exchange_not_configured'],
});

/** Decimal text in whole units. */
const amount = z.string();

/** Names of the partner's own protocol, which clients of the wallet dialect read. */
const quote = {
  from: text,
  to: text,
  amountFrom: amount,
  amountTo: amount.meta({ description: 'After commissions; `networkFee` is still to be deducted' }),
  networkFee: amount.meta({ description: 'In `to`' }),
  rate: amount,
  fee: amount.meta({ description: 'Commission, in `to`' }),
  visibleAmount: amount.meta({ description: '`amountTo` before commissions' }),
  min: amount.meta({ description: 'As `minFrom`' }),
  max: amount.meta({ description: 'As `maxFrom`' }),
  minFrom: amount,
  maxFrom: amount,
  minTo: amount,
  maxTo: amount,
};

const estimatePath = '/exchange/estimate';
export const estimateExchange = endpoint({
  ...EXCHANGE,
  method: 'POST',
  path: estimatePath,
  aliases: changellyAlias(estimatePath),
  summary: 'Estimate for an amount at the current floating rate, with the minimum and maximum',
  examples: [{ body: { fromCurrency: 'btc', toCurrency: 'ton', amount: '0.01' } }],
  body: z.object({
    fromCurrency: ticker,
    toCurrency: exchangeTarget,
    amount: exchangeAmount.meta({ description: 'Of `fromCurrency`' }),
  }),
  response: z.object({
    id: text,
    jsonrpc: z.literal('2.0'),
    result: z
      .array(z.object(quote))
      .length(1)
      .meta({ description: 'The same, for clients that expect a list' }),
    ...quote,
    sandbox,
  }),
  errors: [
    'rate_limited',
    'exchange_limit',
    'exchange_unavailable',
    'exchange_not_configured',
    'exchange_refused',
  ],
});

/** Of a problem `exchange_limit`: what can be exchanged; null where the partner does not say. */
export interface ExchangeLimits {
  readonly min: { readonly from: string; readonly to: string | null };
  readonly max: { readonly from: string | null; readonly to: string | null };
}
