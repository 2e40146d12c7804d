import type { Samples } from '../sample';

const data = {
  account: { chain: 'ton', network: 'mainnet', address: `0:${'ab'.repeat(32)}` },
  at: '2026-03-01T12:00:00.000Z',
  by: 'cli:ann',
};
const service = { service: 'holders', type: 'deposit', icon: 'https://example.com/card.png' };

export const SERVICE_ADDRESS_SAMPLES: Samples = {
  ServiceAddressAdded: [
    { v: 1, data: { ...data, ...service } },
    {
      v: 1,
      data: {
        ...data,
        account: { chain: 'solana', network: 'mainnet', address: '11111111111111111111111111111111' },
        service: 'changelly',
        type: null,
        icon: null,
      },
    },
  ],
  ServiceAddressRemoved: [{ v: 1, data }],
};
