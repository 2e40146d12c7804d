import type { NewMessage } from '../../../contracts/ports/mailbox';
import { all, ascending, bodies, ids, mail, numbered, type MailboxHarness } from './harness';

export function describePosting({ fresh, another }: MailboxHarness): void {
  describe('posting', () => {
    test('stores the message unchanged', async () => {
      const mailbox = await fresh({ clock: () => 1_000_000 });
      const headers = { trace: 'ä"\\', empty: '' };
      const message = mail('c2VjcmV0 ä😀 "\\ \n', { headers });
      const { id, isNew: first } = await mailbox.post(message);
      expect(first).toBe(true);
      const { ttlMs, ...rest } = message;
      expect(await all(mailbox)).toEqual([{ id, ...rest, expiresAt: 1_000_000 + ttlMs }]);
      await mailbox.post(mail('', { from: 'eve' }));
      expect(await all(mailbox)).toMatchObject([{}, { from: 'eve', body: '', headers: {} }]);
    });

    test('uses the clock of the engine by default', async () => {
      const mailbox = await fresh();
      const before = Date.now() - 60_000;
      const { id } = await mailbox.post(mail('a'));
      expect(Math.abs(Date.now() + 300_000 - (await all(mailbox))[0]!.expiresAt)).toBeLessThan(60_000);
      expect(id).toBeGreaterThan(before * 2048);
      expect(id).toBeLessThan(2 ** 53);
    });

    test('assigns increasing ids across senders and recipients', async () => {
      const clients = [await fresh(), await another(), await another()];
      const allIds: number[] = [];
      const posting = clients.map(async (mailbox, client) => {
        const own: number[] = [];
        for (const n of numbered(50))
          own.push((await mailbox.post(mail(`${client}/${n}`, { to: `to ${n}` }))).id);
        expect(own).toEqual(ascending(own));
        allIds.push(...own);
      });
      await Promise.all(posting);
      expect(new Set(allIds).size).toBe(150);
    });

    test('assigns greater ids after all data was lost', async () => {
      let now = Date.now();
      const settings = { clock: () => now };
      const before = await fresh(settings);
      const last = await Promise.all(numbered(100).map(body => before.post(mail(body))));
      now += 1;
      const after = await fresh(settings);
      expect((await after.post(mail('first'))).id).toBeGreaterThan(Math.max(...ids(last)));
    });

    test('assigns greater ids after the clock was set back', async () => {
      let now = 2_000_000;
      const mailbox = await fresh({ clock: () => now });
      const { id } = await mailbox.post(mail('a'));
      now = 1_000_000;
      expect((await mailbox.post(mail('b'))).id).toBeGreaterThan(id);
      expect((await (await another()).post(mail('c'))).id).toBeGreaterThan(id + 1);
    });

    test('a duplicate returns the existing id', async () => {
      const mailbox = await fresh();
      const { id } = await mailbox.post(mail('a', { headers: { trace: '1' } }));
      const again = [mailbox, await another()].map(one => one.post(mail('a', { headers: { trace: '2' } })));
      expect(await Promise.all(again)).toEqual([
        { id, isNew: false },
        { id, isNew: false },
      ]);
      expect(await all(mailbox)).toMatchObject([{ id, headers: { trace: '1' } }]);
    });

    test('concurrent duplicates are one message', async () => {
      const clients = [await fresh(), await another(), await another()];
      const outcomes = await Promise.all([...clients, ...clients].map(client => client.post(mail('a'))));
      expect(outcomes.filter(outcome => outcome.isNew)).toHaveLength(1);
      expect(new Set(ids(outcomes)).size).toBe(1);
      expect(await all(clients[1]!)).toHaveLength(1);
    });

    test('a different sender, recipient or body is a different message', async () => {
      const mailbox = await fresh();
      const messages = [
        mail('a'),
        mail('b'),
        mail('a', { from: 'eve' }),
        mail('a', { to: 'eve' }),
        mail('b', { from: 'anna' }),
        mail('ab', { from: 'ann' }),
      ];
      const outcomes = await Promise.all(messages.map(message => mailbox.post(message)));
      expect(outcomes.every(outcome => outcome.isNew)).toBe(true);
      expect((await all(mailbox, 'bob', 'eve')).length).toBe(messages.length);
    });

    test.each<[string, Partial<NewMessage>]>([
      ['no sender', { from: '' }],
      ['no recipient', { to: '' }],
      ['a long client id', { to: 'a'.repeat(201) }],
      ['a client id with U+0000', { from: 'a\0' }],
      ['a lone surrogate in the body', { body: '\ud83d' }],
      ['U+0000 in the body', { body: '\0' }],
      ['a header that is not text', { headers: { n: 1 as never } }],
      ['a ttl of 0', { ttlMs: 0 }],
      ['a negative ttl', { ttlMs: -1 }],
      ['a fractional ttl', { ttlMs: 0.5 }],
      ['a ttl above an hour', { ttlMs: 3_600_001 }],
      ['a ttl that is not a number', { ttlMs: NaN }],
    ])('rejects %s', async (_, wrong) => {
      const mailbox = await fresh();
      await expect(mailbox.post(mail('a', wrong))).rejects.toThrow(TypeError);
      expect(bodies(await all(mailbox))).toEqual([]);
    });
  });
}
