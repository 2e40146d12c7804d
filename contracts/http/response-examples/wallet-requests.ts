import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  getWalletRequestList: {
    '1': [
      {
        requestId: '789db07bcffb8cf652aa214e0bcad84a',
        requestor: 'UQAhppNlY_nyk7XStz1VKudso--3IQ3KSsCSpw2-aB3WZLBr',
        confirmant: 'UQAs68d4gyEWiJU4grAEs38C0Sqn9aUZ4QmkOjTkCc73o-oH',
        network: 'mainnet',
        status: 'pending',
        created: '2026-11-26T23:31:13.600Z',
        expiresAt: '2026-11-26T23:36:13.600Z',
      },
    ],
  },
  walletRequestCreate: {
    '1': {
      requestId: '789db07bcffb8cf652aa214e0bcad84a',
      requestor: 'UQAhppNlY_nyk7XStz1VKudso--3IQ3KSsCSpw2-aB3WZLBr',
      confirmant: 'UQAs68d4gyEWiJU4grAEs38C0Sqn9aUZ4QmkOjTkCc73o-oH',
      network: 'mainnet',
      status: 'pending',
      created: '2026-11-26T23:31:13.600Z',
      expiresAt: '2026-11-26T23:36:13.600Z',
    },
  },
  walletRequestRespond: {
    '1': {
      success: true,
      request: {
        requestId: '789db07bcffb8cf652aa214e0bcad84a',
        requestor: 'UQAhppNlY_nyk7XStz1VKudso--3IQ3KSsCSpw2-aB3WZLBr',
        confirmant: 'UQAs68d4gyEWiJU4grAEs38C0Sqn9aUZ4QmkOjTkCc73o-oH',
        network: 'mainnet',
        status: 'confirmed',
        created: '2026-11-26T23:31:13.600Z',
        expiresAt: '2026-11-26T23:36:13.600Z',
        answer: {
          at: '2026-11-26T23:32:13.320Z',
          timestamp: 1795735930,
          publicKey: '7c94c2f3302a0c1572d7f7b4d19677495669d1eae777f9fd62750af938c2877c',
          signature:
            'GZ5AJPc6Yc2zqUhLWRE13ByL5ublN084P0gpj+i6Ih7KIBY5RcU9VIJ8LXyG7YmOyF9COK7Ml66ZuzZ1dffOBg==',
        },
      },
    },
  },
};
