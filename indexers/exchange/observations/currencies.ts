import {
  exchangeCurrenciesObserved,
  type ExchangeCurrenciesSubject,
} from '../../../contracts/money/exchange-currencies';
import { EXCHANGE_TARGETS } from '../../../contracts/http/exchange/fields';
import { defineObservation, type ObservationSource } from '../../../contracts/observation/observation';

/** The partner; the requests of all its callers are limited by the adapter. */
const EXCHANGE_SOURCE: ObservationSource<ExchangeCurrenciesSubject> = { name: 'exchange', maxConcurrent: 2 };

/** More would not fit into one record; the partner has a few hundred. */
const MAX_CURRENCIES = 1_500;

const HOUR_MS = 3_600_000;

/** What can be exchanged for a currency. It changes when the partner adds a currency, or disables one. */
export const exchangeCurrenciesObservation = defineObservation({
  kind: 'exchange.currencies',
  subject: {
    format: ({ to }: ExchangeCurrenciesSubject) => to,
    parse(text) {
      const to = EXCHANGE_TARGETS.find(known => text === known);
      if (!to) throw new Error(`not a currency that can be received: ${text}`);
      return { to };
    },
  },
  schema: exchangeCurrenciesObserved,
  source: EXCHANGE_SOURCE,
  minAgeMs: 2_000,
  staleAfterMs: HOUR_MS,
  ages: false,
  async read(clients, { to }, signal) {
    const partner = await clients.exchange();
    const call = { priority: 'background', signal } as const;
    const [all, sources] = await Promise.all([partner.currencies(call), partner.sourcesOf(to, call)]);
    const listed = new Set(sources);
    const currencies = all
      .filter(({ ticker }) => listed.has(ticker))
      .sort((a, b) => (a.ticker < b.ticker ? -1 : 1))
      .slice(0, MAX_CURRENCIES);
    return { height: null, data: { sandbox: partner.sandbox, currencies } };
  },
});
