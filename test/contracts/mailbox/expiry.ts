import { all, bodies, mail, type Places } from './places';

export function describeExpiry({ fresh, follow }: Places): void {
  describe('a message that has expired', () => {
    test('is not there any more, whatever the others do', async () => {
      let now = 1_000_000;
      const mailbox = await fresh({ clock: () => now });
      await mailbox.post(mail('long', { ttl: 50_000 }));
      await mailbox.post(mail('short', { ttl: 20_000 }));
      await mailbox.post(mail('longer', { ttl: 60_000 }));
      now += 19_999;
      expect(bodies(await all(mailbox))).toEqual(['long', 'short', 'longer']);
      now += 1;
      expect(bodies(await all(mailbox))).toEqual(['long', 'longer']);
      expect(bodies(await mailbox.read({ to: ['bob'], after: 0, limit: 1 }))).toEqual(['long']);
      now += 40_000;
      expect(await all(mailbox)).toEqual([]);
    });

    test('can come again, as another one', async () => {
      let now = 1_000_000;
      const mailbox = await fresh({ clock: () => now });
      const first = await mailbox.post(mail('a', { ttl: 10_000 }));
      now += 9_999;
      expect(await mailbox.post(mail('a', { ttl: 10_000 }))).toEqual({ ...first, fresh: false });
      now += 1;
      const second = await mailbox.post(mail('a', { ttl: 10_000 }));
      expect(second.fresh).toBe(true);
      expect(second.id).toBeGreaterThan(first.id);
      expect(await all(mailbox)).toMatchObject([{ id: second.id, expires: now + 10_000 }]);
    });

    test('is passed over by who follows', async () => {
      let now = 1_000_000;
      const mailbox = await fresh({ clock: () => now });
      await mailbox.post(mail('gone', { ttl: 10_000 }));
      await mailbox.post(mail('there', { ttl: 20_000 }));
      now += 10_000;
      const { messages, stop, ended } = follow(mailbox);
      await mailbox.post(mail('new'));
      while (messages.length < 2) await new Promise(resolve => setImmediate(resolve));
      stop();
      await ended;
      expect(bodies(messages)).toEqual(['there', 'new']);
    });

    test('goes by the clock of the engine', async () => {
      const mailbox = await fresh();
      await mailbox.post(mail('long'));
      await mailbox.post(mail('short', { ttl: 40 }));
      while ((await all(mailbox)).length === 2) await new Promise(resolve => setTimeout(resolve, 5));
      expect(bodies(await all(mailbox))).toEqual(['long']);
      expect((await mailbox.post(mail('short'))).fresh).toBe(true);
    });
  });
}
