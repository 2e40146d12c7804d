import type { NewMessage } from '../../../contracts/ports/mailbox';
import { all, ascending, bodies, ids, mail, numbered, type Places } from './places';

export function describePosting({ fresh, another }: Places): void {
  describe('posting', () => {
    test('leaves the message as it is', async () => {
      const mailbox = await fresh({ clock: () => 1_000_000 });
      const headers = { trace: 'ä"\\', empty: '' };
      const message = mail('c2VjcmV0 ä😀 "\\ \n', { headers });
      const { id, fresh: first } = await mailbox.post(message);
      expect(first).toBe(true);
      const { ttl, ...rest } = message;
      expect(await all(mailbox)).toEqual([{ id, ...rest, expires: 1_000_000 + ttl }]);
      await mailbox.post(mail('', { from: 'eve' }));
      expect(await all(mailbox)).toMatchObject([{}, { from: 'eve', body: '', headers: {} }]);
    });

    test('is by the clock of the engine unless another is given', async () => {
      const mailbox = await fresh();
      const before = Date.now() - 60_000;
      const { id } = await mailbox.post(mail('a'));
      expect(Math.abs(Date.now() + 300_000 - (await all(mailbox))[0]!.expires)).toBeLessThan(60_000);
      expect(id).toBeGreaterThan(before * 2048);
      expect(id).toBeLessThan(2 ** 53);
    });

    test('gives greater and greater ids, whoever posts to whom', async () => {
      const clients = [await fresh(), await another(), await another()];
      const told: number[] = [];
      const posting = clients.map(async (mailbox, client) => {
        const mine: number[] = [];
        for (const n of numbered(50))
          mine.push((await mailbox.post(mail(`${client}/${n}`, { to: `to ${n}` }))).id);
        expect(mine).toEqual(ascending(mine));
        told.push(...mine);
      });
      await Promise.all(posting);
      expect(new Set(told).size).toBe(150);
    });

    test('gives greater ids after everything was lost', async () => {
      let now = Date.now();
      const settings = { clock: () => now };
      const before = await fresh(settings);
      const last = await Promise.all(numbered(100).map(body => before.post(mail(body))));
      now += 1;
      const after = await fresh(settings);
      expect((await after.post(mail('first'))).id).toBeGreaterThan(Math.max(...ids(last)));
    });

    test('gives greater ids although the clock was set back', async () => {
      let now = 2_000_000;
      const mailbox = await fresh({ clock: () => now });
      const { id } = await mailbox.post(mail('a'));
      now = 1_000_000;
      expect((await mailbox.post(mail('b'))).id).toBeGreaterThan(id);
      expect((await (await another()).post(mail('c'))).id).toBeGreaterThan(id + 1);
    });

    test('the same again gives the id it has', async () => {
      const mailbox = await fresh();
      const { id } = await mailbox.post(mail('a', { headers: { trace: '1' } }));
      const again = [mailbox, await another()].map(one => one.post(mail('a', { headers: { trace: '2' } })));
      expect(await Promise.all(again)).toEqual([
        { id, fresh: false },
        { id, fresh: false },
      ]);
      expect(await all(mailbox)).toMatchObject([{ id, headers: { trace: '1' } }]);
    });

    test('the same at the same time is one message', async () => {
      const clients = [await fresh(), await another(), await another()];
      const outcomes = await Promise.all([...clients, ...clients].map(client => client.post(mail('a'))));
      expect(outcomes.filter(outcome => outcome.fresh)).toHaveLength(1);
      expect(new Set(ids(outcomes)).size).toBe(1);
      expect(await all(clients[1]!)).toHaveLength(1);
    });

    test('another sender, recipient or body makes another message', async () => {
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
      expect(outcomes.every(outcome => outcome.fresh)).toBe(true);
      expect((await all(mailbox, 'bob', 'eve')).length).toBe(messages.length);
    });

    test.each<[string, Partial<NewMessage>]>([
      ['no sender', { from: '' }],
      ['no recipient', { to: '' }],
      ['a long name', { to: 'a'.repeat(201) }],
      ['a name with U+0000', { from: 'a\0' }],
      ['half a character in the body', { body: '\ud83d' }],
      ['U+0000 in the body', { body: '\0' }],
      ['a header that is no text', { headers: { n: 1 as never } }],
      ['no time', { ttl: 0 }],
      ['time before now', { ttl: -1 }],
      ['a fraction of time', { ttl: 0.5 }],
      ['more time than an hour', { ttl: 3_600_001 }],
      ['time that is no number', { ttl: NaN }],
    ])('refuses %s', async (_, wrong) => {
      const mailbox = await fresh();
      await expect(mailbox.post(mail('a', wrong))).rejects.toThrow(TypeError);
      expect(bodies(await all(mailbox))).toEqual([]);
    });
  });
}
