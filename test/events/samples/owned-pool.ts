import type { Samples } from '../sample';

const share = {
  network: 'mainnet',
  pool: `0:${'5a'.repeat(32)}`,
  round: 1_795_000_000,
  lt: '70000000000001',
  hash: 'jvC0m3dWzJQ3rZ8yZ5T5l7y0fJr2bT0r3kq3n3x5c1A=',
  endedAt: '2026-11-20T12:00:00.000Z',
  profit: '150000000000',
  ownerProfit: '28500000000',
  stakeProfit: '15000000000',
  share: '13500000000',
  occurrence: 1,
  at: '2026-11-20T12:00:05.000Z',
};

export const OWNED_POOL_SAMPLES: Samples = {
  OwnerShareEarned: [{ v: 1, data: share }],
  OwnerShareRetracted: [{ v: 1, data: { ...share, at: '2026-11-20T12:00:09.000Z' } }],
};
