import { all, bodies, mail, type MailboxHarness } from './harness';

export function describeExpiry({ fresh, subscribe }: MailboxHarness): void {
  describe('a message that has expired', () => {
    test('is no longer read', async () => {
      let now = 1_000_000;
      const mailbox = await fresh({ clock: () => now });
      await mailbox.post(mail('long', { ttlMs: 50_000 }));
      await mailbox.post(mail('short', { ttlMs: 20_000 }));
      await mailbox.post(mail('longer', { ttlMs: 60_000 }));
      now += 19_999;
      expect(bodies(await all(mailbox))).toEqual(['long', 'short', 'longer']);
      now += 1;
      expect(bodies(await all(mailbox))).toEqual(['long', 'longer']);
      expect(bodies(await mailbox.read({ to: ['bob'], after: 0, limit: 1 }))).toEqual(['long']);
      now += 40_000;
      expect(await all(mailbox)).toEqual([]);
    });

    test('can be posted again, as a new message', async () => {
      let now = 1_000_000;
      const mailbox = await fresh({ clock: () => now });
      const first = await mailbox.post(mail('a', { ttlMs: 10_000 }));
      now += 9_999;
      expect(await mailbox.post(mail('a', { ttlMs: 10_000 }))).toEqual({ ...first, isNew: false });
      now += 1;
      const second = await mailbox.post(mail('a', { ttlMs: 10_000 }));
      expect(second.isNew).toBe(true);
      expect(second.id).toBeGreaterThan(first.id);
      expect(await all(mailbox)).toMatchObject([{ id: second.id, expiresAt: now + 10_000 }]);
    });

    test('is not delivered to subscribers', async () => {
      let now = 1_000_000;
      const mailbox = await fresh({ clock: () => now });
      await mailbox.post(mail('expired', { ttlMs: 10_000 }));
      await mailbox.post(mail('waiting', { ttlMs: 20_000 }));
      now += 10_000;
      const { messages, stop, ended } = subscribe(mailbox);
      await mailbox.post(mail('new'));
      while (messages.length < 2) await new Promise(resolve => setImmediate(resolve));
      stop();
      await ended;
      expect(bodies(messages)).toEqual(['waiting', 'new']);
    });

    test('expires by the clock of the engine', async () => {
      const mailbox = await fresh();
      await mailbox.post(mail('long'));
      await mailbox.post(mail('short', { ttlMs: 40 }));
      while ((await all(mailbox)).length === 2) await new Promise(resolve => setTimeout(resolve, 5));
      expect(bodies(await all(mailbox))).toEqual(['long']);
      expect((await mailbox.post(mail('short'))).isNew).toBe(true);
    });
  });
}
