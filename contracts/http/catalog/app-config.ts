import { z } from 'zod';
import { appVersion, isLaterVersion } from '../../text/app-version';
import type { AppConfigName } from '../../events/app-config';
import { endpoint } from '../endpoint';
import { walletNetwork } from '../ton/fields';
import { urlText } from '../../url/url-text';

const group = 'Application configuration, catalog, banners';

const params = z.object({ network: walletNetwork });

const responseHeaders = {
  'X-Config-Version': {
    description: 'The version that operators have published; 0 is the built-in one',
    required: true,
  },
} as const;

/** Keys of one object. */
const MAX_KEYS = 200;
const text = z.string().max(2_000);
const record = <Value extends z.ZodType>(value: Value) =>
  z
    .record(z.string().min(1).max(100), value)
    .refine(entries => Object.keys(entries).length <= MAX_KEYS, `at most ${MAX_KEYS} keys`);

/** What a wallet does differently without being installed again. */
export const appConfig = z
  .strictObject({
    txTimeout: z.int().min(1).max(3_600).meta({
      description: 'Seconds after which a wallet stops waiting for a transaction that it has sent',
    }),
    features: record(z.boolean()).optional(),
    browserAlerTexts: record(z.strictObject({ message: text }))
      .optional()
      .meta({ description: 'Warnings of the browser, in the spelling of existing wallets' }),
    resources: record(text).optional(),
    changelly: z.strictObject({
      minAmount: z.number().min(0).meta({ description: 'Wallets offer no exchange below this amount' }),
      minAmountCurrency: z.string().regex(/^[a-z]{3,10}$/, 'must be a currency in lower case'),
    }),
  })
  .meta({ id: 'AppConfig' });

const platform = z
  .strictObject({
    critical: appVersion.meta({ description: 'Older versions must be updated' }),
    latest: appVersion,
    url: z
      .union([z.literal(''), urlText({ max: 2_000, protocol: /^https$/ })])
      .meta({ description: 'Where to update' }),
  })
  .refine(({ critical, latest }) => !isLaterVersion(critical, latest), {
    path: ['critical'],
    message: 'must not be later than latest: nobody could update to it',
  });

/** Versions of the application that wallets compare with their own. */
export const appVersions = z.strictObject({ ios: platform, android: platform }).meta({ id: 'AppVersions' });

/** What operators may publish. */
export const APP_CONFIG_CONTENT = {
  app: appConfig,
  versions: appVersions,
} as const satisfies Record<AppConfigName, z.ZodType>;

/** Milliseconds since the epoch, of the first and the last change; 0 of what comes with the program. */
const times = { createdAt: z.int(), updatedAt: z.int() };

export const getAppConfig = endpoint({
  group,
  method: 'GET',
  path: '/appconfig/{network}',
  operationId: 'getAppConfig',
  summary: 'Configuration of the app',
  examples: [{ params: { network: 'mainnet' } }],
  params,
  etag: true,
  response: appConfig,
  responseHeaders,
});

export const getAppVersions = endpoint({
  group,
  method: 'GET',
  path: '/appconfig/versions/{network}',
  operationId: 'getAppVersions',
  summary: 'The latest version of the app, and the oldest that may still be used',
  examples: [{ params: { network: 'mainnet' } }],
  params,
  etag: true,
  response: appVersions.safeExtend(times).meta({ id: 'AppVersionsResponse' }),
  responseHeaders,
});
