import { MailboxFull, MESSAGE_OVERHEAD_BYTES } from '../../../contracts/ports/mailbox';
import { all, mail, numbered, type MailboxHarness } from './harness';

export function describeLimits({ fresh, another }: MailboxHarness): void {
  describe('a full mailbox', () => {
    const full = async (posting: Promise<unknown>): Promise<MailboxFull> => {
      const error: unknown = await posting.then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(error).toBeInstanceOf(MailboxFull);
      return error as MailboxFull;
    };

    test('by number of messages accepts none until one has expired', async () => {
      let now = 1_000_000;
      const mailbox = await fresh({ clock: () => now, limits: { messages: 3, bytes: 1_000 } });
      for (const [n, ttlMs] of [30_000, 20_000, 40_000].entries())
        await mailbox.post(mail(`${n}`, { ttlMs }));
      expect(await full((await another()).post(mail('more')))).toMatchObject({
        to: 'bob',
        freeAt: 1_020_000,
      });
      expect(await mailbox.post(mail('1'))).toMatchObject({ isNew: false });
      expect(await mailbox.post(mail('more', { to: 'rob' }))).toMatchObject({ isNew: true });
      now += 20_000;
      expect(await mailbox.post(mail('more'))).toMatchObject({ isNew: true });
      await full(mailbox.post(mail('too much')));
      expect(await all(mailbox)).toHaveLength(3);
    });

    test('by bytes accepts what still fits', async () => {
      const overhead = 'ann'.length + '{}'.length;
      const mailbox = await fresh({ limits: { messages: 9, bytes: 100 } });
      await mailbox.post(mail('ä'.repeat(20)));
      await full(mailbox.post(mail('a'.repeat(100 - overhead - 40 - overhead + 1))));
      await mailbox.post(mail('a'.repeat(100 - overhead - 40 - overhead)));
      await full(mailbox.post(mail('')));
      await mailbox.post(mail('a'.repeat(100 - overhead), { to: 'rob' }));
      await expect(mailbox.post(mail('a'.repeat(101 - overhead), { to: 'rob' }))).rejects.toThrow(TypeError);
    });

    test('is never full for another source: each may take a quarter of what the others leave', async () => {
      const mailbox = await fresh({ limits: { messages: 100, bytes: 100_000 } });
      const client = await another();
      const post = (n: string, source: string) =>
        (Number(n) % 2 ? client : mailbox).post(mail(n + source, { source }));
      const posted = async (source: string): Promise<number> => {
        const outcomes = await Promise.allSettled(numbered(60).map(n => post(n, source)));
        return outcomes.filter(({ status }) => status === 'fulfilled').length;
      };
      expect(await posted('heavy')).toBe(25);
      expect(await posted('another')).toBe(18);
      expect(await posted('a-third')).toBe(14);
      await full(post('60', 'heavy'));
      expect(await post('61', 'honest')).toMatchObject({ isNew: true });
    });

    test('by bytes too, and a source has room again when what it has sent has expired', async () => {
      let now = 1_000_000;
      const mailbox = await fresh({ clock: () => now, limits: { messages: 100, bytes: 10_000 } });
      const post = (n: number, source: string) =>
        mailbox.post(mail(`${n}`.padEnd(1_000), { source, ttlMs: 10_000 + n }));
      await post(1, 'heavy');
      await post(2, 'heavy');
      await full(post(3, 'heavy'));
      await post(4, 'honest');
      now += 10_001;
      await post(5, 'heavy');
      await full(post(6, 'heavy'));
      now += 20_000;
      await post(7, 'heavy');
      await post(8, 'heavy');
      await full(post(9, 'heavy'));
    });

    test('for one source is not for another, though it fills the mailboxes of many: in all each has a quarter, too', async () => {
      let now = 1_000_000;
      const totalBytes = 100 * (MESSAGE_OVERHEAD_BYTES + 10);
      const mailboxes = [await fresh({ clock: () => now, limits: { totalBytes } }), await another()];
      const post = (n: number, source: string, ttlMs = 300_000) =>
        mailboxes[n % 2]!.post(
          mail(`${n}`.padEnd(5), { to: `${source} ${n}`.replace(' ', '-'), source, ttlMs }),
        );
      const posted = async (source: string): Promise<number> => {
        const outcomes = await Promise.allSettled(numbered(60).map(n => post(Number(n), source, 20_000)));
        return outcomes.filter(({ status }) => status === 'fulfilled').length;
      };
      expect(await posted('heavy')).toBe(25);
      expect(await posted('another')).toBe(18);
      expect(await full(post(60, 'heavy'))).toMatchObject({ freeAt: 1_020_000 });
      // What has been accepted is, again.
      expect(await post(0, 'heavy')).toMatchObject({ isNew: false });
      expect(await post(61, 'honest')).toMatchObject({ isNew: true });
      now += 20_000;
      expect(await posted('heavy')).toBe(24);
      expect(await post(61, 'honest')).toMatchObject({ isNew: false });
    });

    test('in all accepts none of anybody until some have expired', async () => {
      let now = 1_000_000;
      const totalBytes = 3 * (MESSAGE_OVERHEAD_BYTES + 10);
      const mailbox = await fresh({ clock: () => now, limits: { totalBytes } });
      for (const [n, to] of ['bob', 'rob', 'eve'].entries())
        await mailbox.post(mail(`${n}`, { to, ttlMs: 20_000 + n }));
      const client = await another();
      await full(client.post(mail('3', { to: 'new', source: 'newcomer' })));
      expect(await full(client.post(mail('3', { to: 'new' })))).toMatchObject({
        to: 'new',
        freeAt: 1_020_000,
      });
      now += 20_000;
      expect(await client.post(mail('3', { to: 'new' }))).toMatchObject({ isNew: true });
      await full(mailbox.post(mail('4', { to: 'new' })));
    });

    test('has 16 MiB unless it is set otherwise', async () => {
      const mailbox = await fresh();
      const quarter = 'x'.repeat(2 ** 18 - 10);
      await Promise.all(numbered(64).map(n => mailbox.post(mail(n.padEnd(5) + quarter))));
      await full(mailbox.post(mail('x'.repeat(64 * 5))));
    });

    test('is empty once all messages have expired', async () => {
      let now = 1_000_000;
      const mailbox = await fresh({ clock: () => now, limits: { messages: 5, bytes: 10_000 } });
      for (let round = 0; round < 3; round += 1) {
        const posts = numbered(8).map(n => mailbox.post(mail(n, { ttlMs: 10_000 + Number(n) })));
        const outcomes = await Promise.allSettled(posts);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
        now += 10_010;
      }
      expect(await all(mailbox)).toEqual([]);
    });
  });
}
