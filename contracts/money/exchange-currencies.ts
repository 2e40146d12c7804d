import { z } from 'zod';
import type { ExchangeTarget } from '../http/exchange/fields';

/** What can be exchanged for a currency. */
export interface ExchangeCurrenciesSubject {
  readonly to: ExchangeTarget;
}

/** Each is as the partner's port describes it. */
const currency = z.object({
  ticker: z.string(),
  name: z.string(),
  fullName: z.string(),
  image: z.string(),
  enabled: z.boolean(),
  decimals: z.int(),
  blockchain: z.string().nullable(),
  network: z.string().nullable(),
  contractAddress: z.string().nullable(),
  extraIdName: z.string().nullable(),
});

/** As an observation. */
export const exchangeCurrenciesObserved = z.object({
  /** Read from a double of the partner. */
  sandbox: z.boolean(),
  /** By ticker. */
  currencies: z.array(currency),
});
export type ExchangeCurrenciesObserved = z.output<typeof exchangeCurrenciesObserved>;
