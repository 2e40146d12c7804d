import type { Samples } from '../sample';

const first = {
  name: 'app',
  network: 'mainnet',
  version: 1,
  content: {
    txTimeout: 60,
    features: { swap: true },
    changelly: { minAmount: 31, minAmountCurrency: 'usd' },
  },
  restores: null,
  at: '2026-03-01T12:00:00.000Z',
  by: 'cli:ann',
};

export const APP_CONFIG_SAMPLES: Samples = {
  AppConfigPublished: [
    { v: 1, data: first },
    { v: 1, data: { ...first, name: 'versions', network: 'testnet', version: 3, restores: 1 } },
  ],
};
