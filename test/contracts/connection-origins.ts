import type { ConnectionOrigins } from '../../contracts/ports/connection-origins';
import { until } from '../until';

export interface OriginsSettings {
  readonly clock: () => number;
  readonly refreshMs: number;
  readonly maxClients?: number;
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
    const start = async (refreshMs = 3_600_000, maxClients?: number): Promise<void> => {
      now = 1_800_000_000_000;
      const clock = (): number => {
        readings += 1;
        return now;
      };
      ({ near, far } = await open({ clock, refreshMs, ...(maxClients !== undefined && { maxClients }) }));
    };
    afterEach(async () => {
      await near.close();
      await far.close();
    });

    const page = (n: number | string) => ({ origin: `https://${n}.example`, network: '1.1.1.1' });
    const app = (n: number) => ({ ...page('app'), network: `1.1.1.${n}` });
    const stranger = (n: number, origin = page(n).origin) => ({ origin, network: `6.6.6.${n}` });
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
      for (let n = 1; n < 16; n += 1) {
        far.opened(['ann'], stranger(n));
        await isKnown('ann', n);
      }
      expect((await near.of('ann')).mayBeMore).toBe(false);
      for (let n = 16; n < 44; n += 1) far.opened(['ann'], stranger(n));
      await until(async () => (await near.of('ann')).mayBeMore);
      const first = [page('app'), ...Array.from({ length: 15 }, (_, n) => stranger(n + 1))];
      expect((await near.of('ann')).origins).toEqual(first);
      now += 3 * MINUTE;
      near.opened(['ann'], page('app'));
      await until(async () => (await near.of('ann')).mayBeMore);
      await new Promise(resolve => setTimeout(resolve, 30));
      now += 3 * MINUTE;
      expect(await near.of('ann')).toEqual({ origins: [page('app')], mayBeMore: false });
      near.opened(['ann'], page(5));
      await isKnown('ann', 5);
    });

    test('a network that names very many pages has a quarter of the places, and leaves no doubt of the others', async () => {
      await start();
      near.opened(['ann'], page('app'));
      await isKnown('ann', 'app');
      for (let n = 1; n < 40; n += 1) far.opened(['ann'], stranger(6, page(n).origin));
      far.opened(['bob'], stranger(6, page('last').origin));
      await isKnown('bob', 'last');
      const strangers = [1, 2, 3, 4].map(n => stranger(6, page(n).origin));
      expect(await near.of('ann')).toEqual({ origins: [page('app'), ...strangers], mayBeMore: false });
    });

    test('of taken places another network gets the newest of the network with most', async () => {
      await start();
      near.opened(['ann'], page('app'));
      await isKnown('ann', 'app');
      for (let n = 0; n < 15; n += 1) {
        far.opened(['ann'], stranger(n % 4, page(n).origin));
        await isKnown('ann', n);
      }
      near.opened(['ann'], { ...page('other'), network: '2.2.2.2' });
      await isKnown('ann', 'other');
      const { origins, mayBeMore } = await near.of('ann');
      expect(origins).toHaveLength(16);
      expect(origins).not.toContainEqual(stranger(2, page(14).origin));
      expect([origins.at(0), origins.at(-1)?.network, mayBeMore]).toEqual([page('app'), '2.2.2.2', false]);
    });

    test('of networks that name very many clients theirs are forgotten, and those of others are not', async () => {
      await start(undefined, 40);
      near.opened(['ann'], page('app'));
      await isKnown('ann', 'app');
      const names = (n: number) => Array.from({ length: 20 }, (_, of) => `made up ${n} ${of}`);
      for (let n = 0; n < 8; n += 1) {
        for (let round = 0; round < 3; round += 1) far.opened(names(n), stranger(n))();
        await isKnown(`made up ${n} 19`, n);
      }
      expect(await near.of('ann')).toEqual({ origins: [page('app')], mayBeMore: false });
      const remembered = await Promise.all(
        Array.from({ length: 8 }, (_, n) => names(n))
          .flat()
          .map(async name => (await near.of(name)).origins.length),
      );
      expect(remembered.filter(length => length > 0)).toHaveLength(39);
      near.opened(['bob'], page('other'));
      await isKnown('bob', 'other');
      expect((await near.of('bob')).mayBeMore).toBe(false);
      expect(await originsOf('ann')).toEqual([page('app').origin]);
    });

    test('of one network that names very many clients a quarter is remembered, the last ones', async () => {
      await start(undefined, 40);
      near.opened(['ann'], page('app'));
      await isKnown('ann', 'app');
      for (let n = 0; n < 400; n += 1) {
        far.opened([`made up ${n}`], stranger(6));
        now += 1;
      }
      await isKnown('made up 399', 6);
      expect(await near.of('ann')).toEqual({ origins: [page('app')], mayBeMore: false });
      expect(await originsOf('made up 389')).toEqual([]);
      expect(await originsOf('made up 390')).toEqual([page(6).origin]);
    });

    test('of a client that had to make room for others nothing is certain, until nothing of it would be remembered', async () => {
      await start(undefined, 10);
      near.opened(['ann'], page('app'))();
      await isKnown('ann', 'app');
      for (let n = 0; n < 10; n += 1) {
        now += 1;
        far.opened([`other ${n}`], stranger(n))();
        await isKnown(`other ${n}`, n);
      }
      expect(await near.of('other 9')).toEqual({ origins: [stranger(9)], mayBeMore: false });
      far.opened(['ann'], stranger(6))();
      await isKnown('ann', 6);
      expect(await near.of('ann')).toEqual({ origins: [stranger(6)], mayBeMore: true });
      now += 5 * MINUTE + 1;
      far.opened(['ann'], stranger(6))();
      await isKnown('ann', 6);
      expect(await near.of('ann')).toEqual({ origins: [stranger(6)], mayBeMore: false });
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

    test('many networks of one page take no place of another page', async () => {
      await start();
      near.opened(['ann'], app(1));
      await isKnown('ann', 'app');
      for (let n = 2; n < 20; n += 1) near.opened(['ann'], app(n));
      near.opened(['ann'], page('other'));
      await isKnown('ann', 'other');
      const { origins, mayBeMore } = await near.of('ann');
      expect(origins.map(({ network }) => network).sort()).toEqual([
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
