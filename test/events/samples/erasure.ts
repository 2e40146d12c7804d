import type { Samples } from '../sample';

export const ERASURE_SAMPLES: Samples = {
  PersonalTextErased: [
    { v: 1, data: { subject: 'ann', times: 1, at: '2026-11-30T23:59:00.000Z', by: 'cli:bob' } },
  ],
};
