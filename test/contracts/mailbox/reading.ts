import type { Message } from '../../../contracts/ports/mailbox';
import { all, ascending, bodies, ids, mail, numbered, type MailboxHarness } from './harness';

export function describeReading({ fresh, another }: MailboxHarness): void {
  describe('reading', () => {
    test('several recipients returns their messages in one order', async () => {
      const mailbox = await fresh();
      const to = ['x', 'y', 'z', 'other'];
      for (const n of numbered(40)) await mailbox.post(mail(n, { to: to[(Number(n) * 7) % 4]! }));
      const read = await all(await another(), 'z', 'x', 'z', 'y', 'nobody');
      expect(ids(read)).toEqual(ascending(ids(read)));
      expect(bodies(read)).toEqual(numbered(40).filter(n => (Number(n) * 7) % 4 !== 3));
      expect(new Set(read.map(message => message.to))).toEqual(new Set(['x', 'y', 'z']));
    });

    test('continues after an id, page by page', async () => {
      const mailbox = await fresh();
      for (const n of numbered(25)) await mailbox.post(mail(n, { to: Number(n) % 3 ? 'bob' : 'rob' }));
      const pages: (readonly Message[])[] = [];
      for (let after = 0; pages.at(-1)?.length !== 0; after = pages.at(-1)!.at(-1)?.id ?? 0)
        pages.push(await mailbox.read({ to: ['bob', 'rob'], after, limit: 10 }));
      expect(pages.map(page => page.length)).toEqual([10, 10, 5, 0]);
      expect(bodies(pages.flat())).toEqual(numbered(25));
    });

    test('a page ends with the message that makes it large, however many are asked for', async () => {
      const mailbox = await fresh();
      const sizes = [30_000, 30_000, 30_000, 200_000, 10, 10, 200_000, 10];
      for (const [n, size] of sizes.entries())
        await mailbox.post(mail(`${n}`.padEnd(size, ' '), { to: n % 2 ? 'bob' : 'rob' }));
      const pages: (readonly Message[])[] = [];
      for (let after = 0; pages.at(-1)?.length !== 0; after = pages.at(-1)!.at(-1)?.id ?? 0)
        pages.push(await mailbox.read({ to: ['bob', 'rob'], after, limit: 1_000 }));
      expect(pages.map(page => page.map(({ body }) => body.trim()))).toEqual([
        ['0', '1', '2'],
        ['3'],
        ['4', '5', '6'],
        ['7'],
        [],
      ]);
    });

    test('does not remove messages', async () => {
      const mailbox = await fresh();
      for (const n of numbered(3)) await mailbox.post(mail(n));
      const first = await all(mailbox);
      expect(await all(await another())).toEqual(first);
      const { id } = first[1]!;
      expect(bodies(await mailbox.read({ to: ['bob'], after: id - 1, limit: 9 }))).toEqual(['1', '2']);
      expect(bodies(await mailbox.read({ to: ['bob'], after: id + 1e9, limit: 9 }))).toEqual([]);
    });

    test('accepts many recipients', async () => {
      const mailbox = await fresh();
      const to = Array.from({ length: 2_000 }, (_, n) => `to ${n}`);
      await Promise.all([7, 1_999, 0].map(n => mailbox.post(mail('a', { to: to[n]! }))));
      expect((await all(mailbox, ...to)).map(message => message.to).sort()).toEqual([
        'to 0',
        'to 1999',
        'to 7',
      ]);
    });

    test.each([
      { to: [] },
      { to: [''] },
      { after: -1 },
      { after: 2 ** 53 },
      { after: NaN },
      { limit: 0 },
      { limit: 1_001 },
      { limit: 1.5 },
    ])('rejects %j', async wrong => {
      const mailbox = await fresh();
      await expect(mailbox.read({ to: ['bob'], after: 0, limit: 1, ...wrong })).rejects.toThrow(TypeError);
    });
  });
}
