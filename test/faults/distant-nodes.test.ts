import { firstPages } from '../e2e/first-pages';
import { installation } from '../e2e/installation';
import { routes } from '../e2e/routes';
import { solana } from '../e2e/solana';
import { ton } from '../e2e/ton';

/** The wallet's part of the end-to-end suite, with nodes that are as far away as public ones. */
describe.each([100, 250])('with nodes that take %d ms a call', latencyMs => {
  const main = installation({ traffic: true, settings: { LOCAL_NETWORK_LATENCY: String(latencyMs) } });

  describe('first pages', () => firstPages(main));
  describe('Solana', () => solana(main));
  describe('TON', () => ton(main));
  describe('routes', () => routes(main));
});
