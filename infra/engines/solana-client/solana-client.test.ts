import { setMaxListeners } from 'node:events';
import { pino } from 'pino';
import { describeSolanaClient } from '../../../test/contracts/solana-client';
import { createSolanaClient } from './solana-client';

const stop = new AbortController();
setMaxListeners(0, stop.signal);
afterAll(() => stop.abort());

describeSolanaClient('JSON-RPC', (urls, identity) =>
  createSolanaClient({
    urls,
    ...(identity && { identity }),
    logger: pino({ level: 'silent' }),
    backoffMs: 1,
    timeoutMs: 60_000,
    signal: stop.signal,
  }),
);
