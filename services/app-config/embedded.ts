import type { z } from 'zod';
import type { APP_CONFIG_CONTENT } from '../../contracts/http/catalog/app-config';
import type { AppConfigName } from '../../contracts/events/app-config';

type Content = { readonly [Name in AppConfigName]: z.input<(typeof APP_CONFIG_CONTENT)[Name]> };

const anyVersion = { critical: '0', latest: '0', url: '' };

/** What wallets are answered while operators have published nothing: what wallets assume by themselves, and no update. */
export const EMBEDDED_APP_CONFIG: Content = {
  app: { txTimeout: 60, features: { swap: true }, changelly: { minAmount: 31, minAmountCurrency: 'usd' } },
  versions: { ios: anyVersion, android: anyVersion },
};
