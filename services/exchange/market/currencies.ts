import { decimalPlaces } from '../../../contracts/money/decimal';
import type {
  ExchangeCurrenciesObserved,
  ExchangeCurrenciesSubject,
} from '../../../contracts/money/exchange-currencies';
import type { ExchangeTarget } from '../../../contracts/http/exchange/fields';
import type { ExchangeCurrency } from '../../../contracts/http/exchange/market';
import { immutable } from '../../../contracts/http/immutable-response';
import type { ObservedReader } from '../../../contracts/observation/reader';
import type { ExchangePartner, PartnerCurrency } from '../../../contracts/ports/exchange-partner';
import { Problem } from '../../../contracts/problem/problem';
import type { Views } from '../../../projections/views';

export interface ExchangeCurrenciesDeps {
  readonly views: Pick<Views, 'cached'>;
  readonly currencies: ObservedReader<ExchangeCurrenciesSubject, ExchangeCurrenciesObserved>;
  /** Opened at the first use; null where nothing can be exchanged. */
  readonly partner: () => Promise<ExchangePartner | null>;
}

/** What can be exchanged for a currency: as it was read last, however long ago. */
export interface ExchangeCurrencies {
  /** @throws Problem 503 where there is no partner, or while it was never read */
  sourcesOf(to: ExchangeTarget): Promise<readonly PartnerCurrency[]>;
  /** As endpoints answer with. @throws Problem as above */
  listed(to: ExchangeTarget): Promise<ExchangeCurrency[]>;
}

interface Found {
  readonly at: string;
  readonly sandbox: boolean;
  readonly currencies: readonly PartnerCurrency[];
  readonly listed: ExchangeCurrency[];
}

export function createExchangeCurrencies({
  views,
  currencies,
  partner,
}: ExchangeCurrenciesDeps): ExchangeCurrencies {
  async function read(to: ExchangeTarget): Promise<Found> {
    const { sandbox } = await expectPartner(partner);
    const subject = { to };
    const find = (): Promise<Found | null> =>
      views.cached({ key: ['exchange currencies', to], sources: [currencies.source(subject)] }, async () => {
        const observed = await currencies.find(subject);
        return observed && { at: observed.at, ...observed.data, listed: immutable(listedOf(observed.data)) };
      });
    // What a double of the partner exchanges is not what the partner does.
    const isOfPartner = (found: Found): boolean => found.sandbox === sandbox;
    const found = await currencies.readDerived(subject, {
      find,
      isStale: ({ at }) => currencies.isStale(at),
      isCurrent: isOfPartner,
    });
    if (!found || !isOfPartner(found)) throw currencies.notReady(subject, `What can be exchanged for ${to}`);
    return found;
  }

  return {
    sourcesOf: async to => (await read(to)).currencies,
    listed: async to => (await read(to)).listed,
  };
}

/** @throws Problem 503 `exchange_not_configured` */
export async function expectPartner(partner: ExchangeCurrenciesDeps['partner']): Promise<ExchangePartner> {
  const found = await partner();
  if (found) return found;
  throw new Problem(
    'exchange_not_configured',
    'This instance has no exchange partner, so nothing can be exchanged.',
  );
}

/**
 * The currency that is given for another, when the amount is one that it can have.
 * @param amount canonical
 * @throws Problem 400 that names the field
 */
export async function expectExchangeable(
  currencies: Pick<ExchangeCurrencies, 'sourcesOf'>,
  { from, to }: { readonly from: string; readonly to: ExchangeTarget },
  amount: string,
): Promise<PartnerCurrency> {
  const currency = (await currencies.sourcesOf(to)).find(({ ticker }) => ticker === from);
  if (!currency) throw Problem.invalid('/body/fromCurrency', `nothing that can be exchanged for ${to}`);
  if (!currency.enabled)
    throw Problem.invalid('/body/fromCurrency', `cannot be exchanged for ${to} at the moment`);
  if (decimalPlaces(amount) > currency.decimals)
    throw Problem.invalid('/body/amount', `an amount of ${from} has at most ${currency.decimals} decimals`);
  return currency;
}

const listedOf = ({ currencies, sandbox }: ExchangeCurrenciesObserved): ExchangeCurrency[] =>
  currencies.map(({ ticker, name, fullName, image, enabled, decimals, ...of }) => ({
    ticker,
    name,
    fullName,
    image,
    enabled,
    decimals,
    sandbox,
    // Wallets refuse null.
    ...(of.blockchain !== null && { blockchain: of.blockchain }),
    ...(of.network !== null && { network: of.network }),
    ...(of.contractAddress !== null && { contractAddress: of.contractAddress }),
  }));
