import type { Samples } from '../sample';

const by = {
  url: 'https://app.example.com',
  network: 'mainnet',
  address: `0:${'ab'.repeat(32)}`,
  at: '2026-03-01T12:00:00.000Z',
};
const comment = { subject: `ton:mainnet:0:${'ab'.repeat(32)}`, ciphertext: 'v1.key.dGV4dA' };

const review = { ...by, rating: 4, isVerified: true };
const submitted = { ...review, comment, isHidden: false, replaces: { rating: 1, isVerified: false } };

export const APP_REVIEW_SAMPLES: Samples = {
  AppReviewSubmitted: [
    { v: 1, data: submitted, latest: { ...submitted, source: null, isCounted: true } },
    {
      v: 1,
      data: { ...submitted, comment: null, isHidden: true, replaces: null },
      latest: { ...submitted, comment: null, isHidden: true, replaces: null, source: null, isCounted: true },
    },
    {
      v: 2,
      data: {
        ...submitted,
        rating: 2,
        isVerified: false,
        replaces: null,
        source: '0123456789abcdef',
        isCounted: false,
      },
    },
  ],
  AppReviewHidden: [{ v: 1, data: { ...review, by: 'cli:ann' } }],
  AppReviewShown: [{ v: 1, data: { ...review, by: 'cli:ann' } }],
  AppReviewRemoved: [{ v: 1, data: review }],
};

const report = { ...by, reportId: '5f'.repeat(16), type: 'scam' };

export const APP_REPORT_SAMPLES: Samples = {
  AppReported: [
    {
      v: 1,
      data: { ...report, comment },
      latest: { ...report, comment, source: null, isCounted: true },
    },
    {
      v: 1,
      data: { ...report, type: 'offense', comment: null },
      latest: { ...report, type: 'offense', comment: null, source: null, isCounted: true },
    },
    { v: 2, data: { ...report, comment, source: '0123456789abcdef', isCounted: false } },
  ],
  AppReportDismissed: [{ v: 1, data: { ...report, by: 'cli:ann' } }],
  AppReportRemoved: [{ v: 1, data: report }],
};

const decided = { url: by.url, reason: null, at: by.at, by: 'cli:ann' };

export const APP_VERIFICATION_SAMPLES: Samples = {
  AppVerified: [
    { v: 1, data: decided },
    { v: 1, data: { ...decided, reason: 'a partner' } },
  ],
  AppUnverified: [{ v: 1, data: decided }],
};
