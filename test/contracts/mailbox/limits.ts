import { MailboxFull } from '../../../contracts/ports/mailbox';
import { all, mail, numbered, type Places } from './places';

export function describeLimits({ fresh, another }: Places): void {
  describe('a full mailbox', () => {
    const full = async (posting: Promise<unknown>): Promise<MailboxFull> => {
      const error: unknown = await posting.then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(error).toBeInstanceOf(MailboxFull);
      return error as MailboxFull;
    };

    test('of so many messages takes no more until one has expired', async () => {
      let now = 1_000_000;
      const mailbox = await fresh({ clock: () => now, limits: { messages: 3, bytes: 1_000 } });
      for (const [n, ttl] of [30_000, 20_000, 40_000].entries()) await mailbox.post(mail(`${n}`, { ttl }));
      expect(await full((await another()).post(mail('more')))).toMatchObject({
        to: 'bob',
        freeAt: 1_020_000,
      });
      expect(await mailbox.post(mail('1'))).toMatchObject({ fresh: false });
      expect(await mailbox.post(mail('more', { to: 'rob' }))).toMatchObject({ fresh: true });
      now += 20_000;
      expect(await mailbox.post(mail('more'))).toMatchObject({ fresh: true });
      await full(mailbox.post(mail('too much')));
      expect(await all(mailbox)).toHaveLength(3);
    });

    test('of so many bytes takes what still fits', async () => {
      const weight = 'ann'.length + '{}'.length;
      const mailbox = await fresh({ limits: { messages: 9, bytes: 100 } });
      await mailbox.post(mail('ä'.repeat(20)));
      await full(mailbox.post(mail('a'.repeat(100 - weight - 40 - weight + 1))));
      await mailbox.post(mail('a'.repeat(100 - weight - 40 - weight)));
      await full(mailbox.post(mail('')));
      await mailbox.post(mail('a'.repeat(100 - weight), { to: 'rob' }));
      await expect(mailbox.post(mail('a'.repeat(101 - weight), { to: 'rob' }))).rejects.toThrow(TypeError);
    });

    test('of which all has expired is empty', async () => {
      let now = 1_000_000;
      const mailbox = await fresh({ clock: () => now, limits: { messages: 5, bytes: 10_000 } });
      for (let round = 0; round < 3; round += 1) {
        const posts = numbered(8).map(n => mailbox.post(mail(n, { ttl: 10_000 + Number(n) })));
        const outcomes = await Promise.allSettled(posts);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
        now += 10_010;
      }
      expect(await all(mailbox)).toEqual([]);
    });
  });
}
