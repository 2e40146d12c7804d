import { dialects, dialectsAfterADay } from './dialects/dialects';
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
    const { url, operatorsUrl } = main.program;
    await runTour({ api: url, devnet: url, projections: operatorsUrl }, main.settings);
  },
  TOUR_TEST_MS,
);

describe('both dialects', () => dialects(main));
describe('TON', () => ton(main));
describe('rates', () => tradedRates(main, first));
describe('both dialects, after a day', () => dialectsAfterADay(main));
