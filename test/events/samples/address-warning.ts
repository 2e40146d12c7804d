import type { Samples } from '../sample';

const spam = {
  network: 'mainnet',
  address: `0:${'ab'.repeat(32)}`,
  warning: 'spam',
  at: '2026-03-01T12:00:00.000Z',
  by: 'cli:ann',
};
const restrictSend = { ...spam, network: 'testnet', warning: 'restrict_send' };

export const ADDRESS_WARNING_SAMPLES: Samples = {
  AddressWarningAdded: [
    { v: 1, data: spam },
    { v: 1, data: restrictSend },
  ],
  AddressWarningRemoved: [
    { v: 1, data: spam },
    { v: 1, data: restrictSend },
  ],
};
