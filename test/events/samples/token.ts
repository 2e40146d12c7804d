import type { JsonObject } from '../../../contracts/json/json';
import type { Samples } from '../sample';

export const TOKEN = {
  TokenVerificationSet: {
    network: 'mainnet',
    address: `0:${'ab'.repeat(32)}`,
    verification: 'whitelist',
    at: '2026-11-20T12:00:00.000Z',
    by: 'cli:ann',
  },
} satisfies Record<string, JsonObject>;

export const TOKEN_SAMPLES: Samples = {
  TokenVerificationSet: [
    { v: 1, data: TOKEN.TokenVerificationSet },
    { v: 1, data: { ...TOKEN.TokenVerificationSet, network: 'testnet', verification: 'blacklist' } },
    { v: 1, data: { ...TOKEN.TokenVerificationSet, verification: 'none' } },
  ],
};
