import { formatTonAddress } from '../../../contracts/account/address';
import { exchangeDex, exchangeWidget } from '../../../contracts/http/exchange/pages';
import { bind, type Binding } from '../../http/binding';
import { tonAccount } from '../../../contracts/account/ton-account';

export interface ExchangePageDeps {
  /** Of the page of the partner that exchanges currencies. */
  readonly widgetUrl: string;
  /** The partner's name for the instance. */
  readonly widgetMerchantId: string;
  /** Of the page of the decentralized exchange. */
  readonly dexUrl: string;
  /** From where users come, as the page is to count them. */
  readonly dexSource: string;
}

/** The addresses of the pages of partners, so that no client composes them. */
export function exchangePageRoutes({
  widgetUrl,
  widgetMerchantId,
  dexUrl,
  dexSource,
}: ExchangePageDeps): Binding[] {
  return [
    bind(exchangeWidget, async ({ query: { amount, fromDefault, toDefault, v } }) => ({
      url: withQuery(widgetUrl, { amount, fromDefault, toDefault, merchant_id: widgetMerchantId, v }),
    })),
    bind(exchangeDex, async ({ query }) => {
      const { bounceable, utm_content, lang, currency, themeStyle, pushNotifications } = query;
      const { utm_source = dexSource, ref = dexSource } = query;
      const { address, network } = tonAccount(query.address, 'mainnet', '/query/address');
      const tags = { utm_source, utm_content, ref };
      return {
        url: withQuery(dexUrl, {
          address: formatTonAddress(address, network, bounceable === 'true'),
          ...tags,
          lang,
          currency,
          themeStyle,
          pushNotifications,
        }),
      };
    }),
  ];
}

/** The address with these parameters besides those that it has. */
function withQuery(base: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(base);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.toString();
}
