import type { Samples } from '../sample';

const userId = '7c2b9d1e-aaaa-5bbb-8ccc-0d1e2f3a4b5c';
const beneficiaryUserId = '8d3cae2f-aaaa-5bbb-8ccc-0d1e2f3a4b5c';
const beneficiaryAccountId = '1c2d7c0a-3c55-5d1f-8b6e-6f1f0a2b3c4d';
const vestingId = '2d3e7c0a-3c55-5d1f-8b6e-6f1f0a2b3c4d';
const vesting = { vestingId, network: 'testnet', userId, at: '2026-11-23T12:00:00.000Z' };

export const CARD_VESTING_SAMPLES: Samples = {
  CardVestingOpened: [
    {
      v: 1,
      data: {
        ...vesting,
        creatorAccountId: '5b1d7c0a-3c55-5d1f-8b6e-6f1f0a2b3c4d',
        owner: { chain: 'ton', network: 'testnet', address: `0:${'1'.repeat(64)}` },
        beneficiary: {
          accountId: beneficiaryAccountId,
          userId: beneficiaryUserId,
          owner: { chain: 'ton', network: 'testnet', address: `0:${'3'.repeat(64)}` },
          name: { subject: userId, ciphertext: `v2.key.AAAA.${'A'.repeat(43)}` },
        },
        currency: { ticker: 'TON', decimals: 9, tokenContract: null },
        unlockAmountPerPeriod: '1000000000',
        unlockPeriodSeconds: 86_400,
        startPaymentsAt: '2026-11-24T12:00:00.000Z',
        sandbox: true,
      },
    },
  ],
  CardVestingDeposited: [
    {
      v: 1,
      data: {
        ...vesting,
        beneficiaryUserId,
        transactionId: `vesting/${vestingId}/deposit/first`,
        amount: '2500000000',
        nextPeriod: 1,
      },
    },
  ],
  CardVestingPaidOut: [
    {
      v: 1,
      data: {
        ...vesting,
        number: 1,
        fromPeriod: 1,
        periods: 2,
        amount: '2000000000',
        currency: 'TON',
        beneficiaryAccountId,
        beneficiaryUserId,
      },
    },
  ],
};
