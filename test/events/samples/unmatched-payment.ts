import type { Samples } from '../sample';

export const UNMATCHED_PAYMENT_SAMPLES: Samples = {
  UnmatchedPaymentRecorded: [
    {
      v: 1,
      data: {
        account: `ton:mainnet:0:${'5a'.repeat(32)}`,
        transaction: 'jvC0m3dWzJQ3rZ8yZ5T5l7y0fJr2bT0r3kq3n3x5c1A=',
        asset: 'native',
        amount: '1500000000',
      },
    },
  ],
};
