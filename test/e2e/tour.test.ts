import { installation } from './installation';
import { expectTour, takeTour } from './tour';

jest.setTimeout(180_000);

const main = installation({ economy: true });

test('the tour of the README works as it is written', async () => {
  const { ton, solana } = await main.places();
  const place = {
    api: main.program.url,
    devnet: main.program.url,
    ton: ton.find(({ network }) => network === 'mainnet')!.endpoint,
    solana: solana.find(({ network }) => network === 'mainnet')!.endpoint,
  };
  expectTour(await takeTour(place, main.settings));
});
