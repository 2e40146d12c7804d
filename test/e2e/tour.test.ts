import { installation } from './installation';
import { expectTour, runTour, TOUR_TEST_MS } from './tour';

const main = installation({ traffic: true });

test(
  'the tour of the README works as written',
  async () => {
    const { ton, solana } = await main.places();
    const place = {
      api: main.program.url,
      devnet: main.program.url,
      ton: ton.find(({ network }) => network === 'mainnet')!.endpoint,
      solana: solana.find(({ network }) => network === 'mainnet')!.endpoint,
    };
    expectTour(await runTour(place, main.settings));
  },
  TOUR_TEST_MS,
);
