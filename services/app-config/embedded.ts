import type { z } from 'zod';
import { formatTonAddress } from '../../contracts/account/address';
import { USDE_CONTRACTS } from '../../contracts/chain/ton-usde';
import type { AppConfigName } from '../../contracts/events/app-config';
import type { APP_CONFIG_CONTENT } from '../../contracts/http/catalog/app-config';
import type { TonNetwork } from '../../contracts/network/network';

type Content = { readonly [Name in AppConfigName]: z.input<(typeof APP_CONFIG_CONTENT)[Name]> };

const anyVersion = { critical: '0', latest: '0', url: '' };
const versions = { ios: anyVersion, android: anyVersion };
const app = {
  txTimeout: 60,
  features: { swap: true },
  changelly: { minAmount: 31, minAmountCurrency: 'usd' },
};

/**
 * What wallets are answered while operators have published nothing: what wallets assume by themselves, and no update. On a local
 * network also where its contracts of USDe are.
 */
export function embeddedAppConfig(network: TonNetwork, isLocal: boolean): Content {
  if (!isLocal) return { app, versions };
  const { usde, stakedUsde, vault } = USDE_CONTRACTS[network];
  return {
    app: {
      ...app,
      features: { ...app.features, ethena: true },
      resources: {
        'staking.ethena.usdeMinter': formatTonAddress(usde, network),
        'staking.ethena.tsUSDeMinter': formatTonAddress(stakedUsde, network),
        'staking.ethena.usdeVault': formatTonAddress(vault, network),
      },
    },
    versions,
  };
}
