import { pino } from 'pino';
import { describeSolanaClient } from '../../../test/contracts/solana-client';
import { createSolanaClient } from './solana-client';

const stop = new AbortController();
afterAll(() => stop.abort());

describeSolanaClient('JSON-RPC', node =>
  createSolanaClient({
    urls: [node],
    logger: pino({ level: 'silent' }),
    backoffMs: 1,
    signal: stop.signal,
  }),
);
