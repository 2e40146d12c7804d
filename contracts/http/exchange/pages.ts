import { z } from 'zod';
import { endpoint } from '../endpoint';
import { changellyAlias, EXCHANGE, exchangeAmount, ticker } from './fields';
import { tonAddress } from '../ton/fields';
import { LOCAL } from '../local-accounts';

const page = z.object({ url: z.url() });

const network = z
  .literal('mainnet', 'the page is of mainnet only')
  .optional()
  .meta({ description: 'Default: `mainnet`, the only one that exists' });
const isTestnet = z
  .literal('false', 'the page is of mainnet only')
  .optional()
  .meta({ description: 'Only `false`' });

const tag = z.string().regex(/^[\w.-]{1,64}$/, 'must be at most 64 letters, digits, `_`, `.` and `-`');
const truth = z.enum(['true', 'false']);

const widgetPath = '/exchange/widget';
export const exchangeWidget = endpoint({
  ...EXCHANGE,
  method: 'GET',
  path: widgetPath,
  aliases: changellyAlias(widgetPath),
  summary: "URL of the partner's exchange page",
  examples: [
    {
      query: {
        fromDefault: 'ton',
        toDefault: 'usdton',
        amount: '11',
        v: '3',
        network: 'mainnet',
        isTestnet: 'false',
      },
    },
  ],
  query: z.object({
    fromDefault: ticker.default('ton').meta({ description: 'Default: `ton`' }),
    toDefault: ticker.default('usdton').meta({ description: 'Default: `usdton`' }),
    amount: exchangeAmount.optional().meta({ description: 'Of `fromDefault`' }),
    v: z
      .string()
      .regex(/^\d{1,6}$/, 'must be a number')
      .default('3')
      .meta({ description: 'Version of the page. Default: 3' }),
    network,
    isTestnet,
  }),
  response: page,
});

const isLanguage = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
};

const dexPath = '/exchange/dex';
export const exchangeDex = endpoint({
  ...EXCHANGE,
  method: 'GET',
  path: dexPath,
  aliases: changellyAlias(dexPath),
  summary: "URL of the decentralized exchange, for the wallet's embedded browser",
  examples: [
    {
      query: {
        address: LOCAL.aliceWallet,
        bounceable: 'true',
        utm_source: 'tidemark',
        utm_content: 'extension',
        ref: 'tidemark',
        lang: 'en',
        currency: 'USD',
        themeStyle: 'dark',
        pushNotifications: 'false',
        network: 'mainnet',
        isTestnet: 'false',
      },
    },
  ],
  query: z.object({
    address: tonAddress.meta({ description: 'Of the wallet' }),
    bounceable: truth
      .default('true')
      .meta({ description: 'Whether the page receives the address in bounceable form. Default: `true`' }),
    utm_source: tag.optional().meta({ description: 'Default: `EXCHANGE_DEX_SOURCE`' }),
    utm_content: tag.default('extension').meta({ description: 'Default: `extension`' }),
    ref: tag.optional().meta({ description: 'Default: `EXCHANGE_DEX_SOURCE`' }),
    lang: z
      .string()
      .max(35)
      .refine(isLanguage, 'must be a language tag (BCP 47), such as `en` or `zh-Hant`')
      .default('en')
      .meta({ description: 'Default: `en`' }),
    currency: z
      .string()
      .regex(/^[A-Z]{3,5}$/, 'must be an upper-case currency code')
      .default('USD')
      .meta({ description: 'Default: `USD`' }),
    themeStyle: z.enum(['light', 'dark']).default('light').meta({ description: 'Default: `light`' }),
    pushNotifications: truth.default('false').meta({ description: 'Default: `false`' }),
    network,
    isTestnet,
  }),
  response: page,
  errors: ['network_mismatch'],
});
