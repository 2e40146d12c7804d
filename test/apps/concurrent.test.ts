import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '../../contracts/ports/event-store';
import { openEngines } from '../../infra/engines/engines';
import { startAppsProgram, type AppsProgram } from './program';

const url = 'https://app.example.com';
const address = (n: number): string => `0:${`${n}`.padStart(2, '0').repeat(32)}`;

let program: AppsProgram;
beforeEach(async () => {
  program = await startAppsProgram({
    async open(config, logger) {
      const engines = await openEngines(config, logger);
      const { store } = engines;
      // As slow as a server: of what decides meanwhile, only the first is appended.
      const append: EventStore['append'] = async (...event) => {
        await sleep(5);
        return store.append(...event);
      };
      return { ...engines, store: { ...store, append } };
    },
  });
});
afterEach(() => program.stop());

const review = async (from: string, wallet: string, rating: number) => {
  const { status, body } = await program.call(from, '/apps/reviews', {
    url,
    input: { rating, address: wallet, comment: null },
  });
  return status === 200 ? 'done' : `${status} ${body.code}`;
};

it('reviews of many callers in one name at a time are written or refused, and none is a failure; another is written', async () => {
  const attack = Array.from({ length: 60 }, (_, n) => review(`192.0.2.${n % 6}`, address(1), 1 + (n % 5)));
  expect(await review('198.51.100.7', address(2), 5)).toBe('done');
  const answers = new Set(await Promise.all(attack));
  const refused = ['409 version_conflict', '403 signature_required'];
  expect([...answers].filter(each => !refused.includes(each))).toEqual(['done']);
});
