import type { Samples } from '../sample';

const about = {
  realm: 'live',
  network: 'mainnet',
  master: `0:${'5'.repeat(64)}`,
  at: '2026-12-01T12:00:00.000Z',
  by: 'cli:ann',
};
const code = { master: 'a'.repeat(64), wallet: 'b'.repeat(64) };

export const GASLESS_JETTON_SAMPLES: Samples = {
  GaslessJettonListed: [
    { v: 1, data: { ...about, decimals: 6, perTon: '3.2', code } },
    { v: 1, data: { ...about, by: 'settings', decimals: 9, perTon: null, code: null } },
  ],
  GaslessJettonCodeRecorded: [{ v: 1, data: { ...about, by: 'gasless', code } }],
  GaslessJettonPaused: [{ v: 1, data: about }],
  GaslessJettonResumed: [{ v: 1, data: about }],
  GaslessJettonPriced: [
    { v: 1, data: { ...about, perTon: '3.5' } },
    { v: 1, data: { ...about, perTon: null } },
  ],
  GaslessJettonDelisted: [{ v: 1, data: about }],
};
