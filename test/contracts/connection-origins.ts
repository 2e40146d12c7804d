import type { ConnectionOrigins } from '../../contracts/ports/connection-origins';
import { until } from '../until';

export interface OriginsSettings {
  readonly clock: () => number;
  readonly refreshMs: number;
}

const MINUTE = 60_000;

/**
 * What the origins of connections are, on any engine.
 * @param open opens an empty engine, or another process on the one that was opened last
 */
export function describeConnectionOrigins(
  name: string,
  open: (settings: OriginsSettings) => Promise<{ near: ConnectionOrigins; far: ConnectionOrigins }>,
): void {
  describe(`connection origins: ${name}`, () => {
    let now: number;
    let readings = 0;
    let near: ConnectionOrigins;
    let far: ConnectionOrigins;
    const start = async (refreshMs = 3_600_000): Promise<void> => {
      now = 1_800_000_000_000;
      const clock = (): number => {
        readings += 1;
        return now;
      };
      ({ near, far } = await open({ clock, refreshMs }));
    };
    afterEach(async () => {
      await near.close();
      await far.close();
    });

    const page = (n: number | string) => ({ origin: `https://${n}.example`, ip: '1.1.1.1' });
    const address = (n: number) => ({ ...page('app'), ip: `1.1.1.${n}` });
    const originsOf = async (client: string) =>
      (await near.of(client)).origins.map(({ origin }) => origin).sort();
    const isKnown = (client: string, n: number | string) =>
      until(async () => (await originsOf(client)).includes(page(n).origin));

    test('a connection is remembered for five minutes after it was closed', async () => {
      await start();
      const close = near.opened(['ann', 'bob'], page('app'));
      await isKnown('bob', 'app');
      now += 4 * MINUTE;
      close();
      near.opened(['ann'], page('other'));
      await isKnown('ann', 'other');
      now += 4 * MINUTE;
      expect(await originsOf('ann')).toEqual([page('app').origin, page('other').origin]);
      expect(await originsOf('bob')).toEqual([page('app').origin]);
      now += 2 * MINUTE;
      expect(await near.of('bob')).toEqual({ origins: [], mayBeMore: false });
      expect(await near.of('nobody')).toEqual({ origins: [], mayBeMore: false });
    });

    test('an open connection is remembered, however long it is open', async () => {
      await start(5);
      near.opened(['ann'], page('app'));
      for (let minutes = 0; minutes < 12; minutes += 2) {
        now += 2 * MINUTE;
        const before = readings;
        // Only what is stored again reads the clock meanwhile.
        await until(() => readings > before + 4);
      }
      await isKnown('ann', 'app');
    });

    test('no later page takes the place of an earlier one, and what there was no room for may have been any', async () => {
      await start();
      near.opened(['ann'], page('app'));
      await isKnown('ann', 'app');
      for (const n of [1, 2, 3]) {
        far.opened(['ann'], page(n));
        await isKnown('ann', n);
      }
      expect((await near.of('ann')).mayBeMore).toBe(false);
      for (let n = 4; n < 44; n += 1) far.opened(['ann'], page(n));
      await until(async () => (await near.of('ann')).mayBeMore);
      expect(await originsOf('ann')).toEqual(['1', '2', '3', 'app'].map(n => page(n).origin));
      now += 3 * MINUTE;
      near.opened(['ann'], page('app'));
      await until(async () => (await near.of('ann')).mayBeMore);
      await new Promise(resolve => setTimeout(resolve, 30));
      now += 3 * MINUTE;
      expect(await near.of('ann')).toEqual({ origins: [page('app')], mayBeMore: false });
      near.opened(['ann'], page(5));
      await isKnown('ann', 5);
    });

    test('pages are in the order of their first use, whichever was used last', async () => {
      await start();
      const pages = ['third', 'first', 'app', 'second'];
      for (const each of pages) {
        near.opened(['ann'], page(each));
        await isKnown('ann', each);
        now += 1_000;
      }
      far.opened(['ann'], page('first'))();
      near.opened(['ann'], page('third'))();
      await new Promise(resolve => setTimeout(resolve, 30));
      const { origins } = await near.of('ann');
      expect(origins).toEqual(pages.map(page));
    });

    test('many addresses of one page take no place of another page', async () => {
      await start();
      near.opened(['ann'], address(1));
      await isKnown('ann', 'app');
      for (let n = 2; n < 20; n += 1) near.opened(['ann'], address(n));
      near.opened(['ann'], page('other'));
      await isKnown('ann', 'other');
      const { origins, mayBeMore } = await near.of('ann');
      expect(origins.map(({ ip }) => ip).sort()).toEqual([
        '1.1.1.1',
        '1.1.1.1',
        '1.1.1.2',
        '1.1.1.3',
        '1.1.1.4',
      ]);
      expect(mayBeMore).toBe(false);
    });
  });
}
