import type { Samples } from '../sample';

export const WATCH_SAMPLES: Samples = {
  AccountWatched: [
    { v: 1, data: { chain: 'ton', network: 'mainnet', address: `0:${'ab'.repeat(32)}` } },
    { v: 1, data: { chain: 'ton', network: 'testnet', address: `-1:${'ab'.repeat(32)}` } },
    { v: 1, data: { chain: 'solana', network: 'mainnet', address: '11111111111111111111111111111111' } },
    { v: 1, data: { chain: 'solana', network: 'devnet', address: '11111111111111111111111111111111' } },
  ],
};
