import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  getUsdeRate: { '1': { usdeRate: 1.0523, seqno: 1, time: '2026-11-28T05:53:40.000Z' } },
  getUsdeApy: {
    '1': {
      apy: '10.5152',
      from: { usdeRate: 1.05234805, seqno: 25, time: '2026-11-29T08:55:57.000Z' },
      to: { usdeRate: 1.052636456, seqno: 41, time: '2026-11-30T08:56:27.000Z' },
      formula: '((to.usdeRate / from.usdeRate) ^ (31536000 / seconds from from.time to to.time) - 1) * 100',
    },
  },
  getUsdeMember: {
    '1': {
      balance: '1000000000000',
      owner: 'EQCp9pznfJcIJojRQ0_2m1a4Rg3zP7L-6jXkRWZ0i29E9q88',
      minter: 'EQDQ5UUyPHrLcQJlPAczd_fjxn8SLrlNQwolBznxCdSlfQwr',
      timeLocked: null,
      at: '2026-11-28T05:57:25.143Z',
    },
  },
};
