import type { Samples } from '../sample';

const at = '2026-03-01T12:00:00.000Z';
const ton = { chain: 'ton', network: 'mainnet', address: `0:${'ab'.repeat(32)}`, watch: 1, at };
const solana = {
  chain: 'solana',
  network: 'mainnet',
  address: '11111111111111111111111111111111',
  watch: 3,
  at,
};

const claim = { worker: '6c1b7f2e-55d1-4b4f-9d1e-0f5e3c2b1a90', until: '2026-03-01T12:02:00.000Z' };

export const WATCH_SAMPLES: Samples = {
  AccountWatched: [
    ...[
      ton,
      { ...ton, network: 'testnet', address: `-1:${'ab'.repeat(32)}` },
      solana,
      { ...solana, network: 'devnet' },
    ].map(data => ({ v: 1, data, latest: { ...data, source: null } })),
    { v: 2, data: { ...ton, source: '0123456789abcdef' } },
    { v: 2, data: { ...solana, source: null } },
  ],
  WatchRenewed: [
    { v: 1, data: ton },
    { v: 1, data: solana },
  ],
  WatchConfirmed: [
    { v: 1, data: ton },
    { v: 1, data: solana },
  ],
  WatchExpired: [
    { v: 1, data: ton },
    { v: 1, data: solana },
  ],
  HistoryRemovalStarted: [
    { v: 1, data: { ...ton, ...claim } },
    { v: 1, data: { ...solana, ...claim } },
  ],
  HistoryRemoved: [
    { v: 1, data: ton },
    { v: 1, data: solana },
  ],
};
