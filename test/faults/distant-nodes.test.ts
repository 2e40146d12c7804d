import { firstPages } from '../e2e/first-pages';
import { installation } from '../e2e/installation';
import { routes } from '../e2e/routes';
import { solana } from '../e2e/solana';
import { ton } from '../e2e/ton';
import { scaled, SEED } from '../random';

const LATENCIES_MS = [100, 250];
/** At a small scale one of them, another one for each seed. */
const TRIED = LATENCIES_MS.map((_, n) => LATENCIES_MS[(n + SEED) % LATENCIES_MS.length]!).slice(0, scaled(1));

/** The wallet's part of the end-to-end suite, with nodes that are as far away as public ones. */
describe.each(TRIED)('with nodes that take %d ms a call', latencyMs => {
  const main = installation({ traffic: true, settings: { LOCAL_NETWORK_LATENCY: String(latencyMs) } });

  describe('first pages', () => firstPages(main));
  describe('Solana', () => solana(main));
  describe('TON', () => ton(main));
  describe('routes', () => routes(main));
});
