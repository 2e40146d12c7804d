import type { Samples } from '../sample';

const TEXT = { subject: 'ann', ciphertext: 'v1.AAAAAAAAAAAAAAAA.c2VhbGVk' };
const SHA_256 = 'aa'.repeat(32);
const ATTEMPT = { attempt: 'a-1', at: '2026-11-30T23:59:00.000Z' };
const answered = (content: Samples[string][number]['data']) => ({
  v: 1,
  data: {
    response: { status: 200, headers: { 'X-Ledger-Position': '42' }, content },
    at: '2026-11-30T23:59:00.000Z',
  },
});

export const IDEMPOTENCY_SAMPLES: Samples = {
  IdempotentCallStarted: [{ v: 1, data: { bodyHash: SHA_256, ...ATTEMPT } }],
  IdempotentCallAnswered: [
    answered({ form: 'json', text: TEXT }),
    answered({ form: 'gzip', text: TEXT }),
    answered({ form: 'digest', sha256: SHA_256 }),
  ],
  IdempotentCallAbandoned: [{ v: 1, data: ATTEMPT }],
};
