import { dialects } from './dialects/dialects';
import { installation } from './installation';
import { firstPrice, tradedRates } from './rates';
import { ton } from './ton';
import { runTour, TOUR_TEST_MS } from './tour';
import '../starts-programs';

/** With the scripted traffic of the local networks, whose accounts are used here. The tour comes first: its ledger is empty. */
const main = installation({ traffic: true, settings: { CLIENT_ERROR_FLUSH_SECONDS: '1' } });
const first = firstPrice(
  main,
  ({ TON, SOL }) => TON?.sources[0]?.source === 'local-dex' && SOL !== undefined,
);

test(
  'the calls of the README and the tour work as written, and print what is shown',
  async () => {
    const places = await main.places();
    const place = {
      api: main.program.url,
      devnet: main.program.url,
      projections: main.program.operatorsUrl,
      ton: places.ton.find(({ network }) => network === 'mainnet')!.endpoint,
      solana: places.solana.find(({ network }) => network === 'mainnet')!.endpoint,
    };
    await runTour(place, main.settings);
  },
  TOUR_TEST_MS,
);

describe('both dialects', () => dialects(main));
describe('TON', () => ton(main));
describe('rates', () => tradedRates(main, first));
