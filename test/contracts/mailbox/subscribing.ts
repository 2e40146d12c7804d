import type { Message } from '../../../contracts/ports/mailbox';
import { ascending, bodies, ids, mail, numbered, type MailboxHarness, until } from './harness';

export function describeSubscribing({ fresh, another, subscribe, poster }: MailboxHarness): void {
  describe('subscribe', () => {
    test('yields existing messages, then new ones, from any client', async () => {
      const [near, far] = [await fresh(), await another()];
      for (const n of numbered(5)) await near.post(mail(n, { to: Number(n) % 2 ? 'rob' : 'bob' }));
      const { messages } = subscribe(near, { to: ['rob', 'bob'] });
      await until(() => messages.length === 5);
      await near.post(mail('5'));
      await until(() => messages.length === 6);
      await far.post(mail('6', { to: 'rob' }));
      await far.post(mail('not for them', { to: 'eve' }));
      await until(() => messages.length === 7);
      await far.post(mail('7'));
      await until(() => messages.length === 8);
      expect(bodies(messages)).toEqual(numbered(8));
    });

    test('starts after an id', async () => {
      const mailbox = await fresh();
      const posted = [];
      for (const n of numbered(4)) posted.push(await mailbox.post(mail(n)));
      const { messages } = subscribe(mailbox, { after: posted[1]!.id });
      await mailbox.post(mail('4'));
      await until(() => messages.length === 3);
      expect(bodies(messages)).toEqual(['2', '3', '4']);
    });

    test('yields a long backlog of several recipients completely and in order', async () => {
      const mailbox = await fresh();
      const to = ['v', 'w', 'x', 'y', 'z'];
      const ttls = [300_000, 60_000, 200_000];
      const post = (n: string) =>
        mailbox.post(mail(n, { to: to[Number(n) % 5]!, ttlMs: ttls[Number(n) % 3]! }));
      const posted = await Promise.all(numbered(3_000).map(post));
      const { messages } = subscribe(mailbox, { to });
      await until(() => messages.length === 3_000);
      expect(ids(messages)).toEqual(ascending(ids(posted)));
    });

    test('has neither gap nor duplicate when it starts during posts', async () => {
      const [near, far] = [await fresh(), await another()];
      for (let trial = 0; trial < 60; trial += 1) {
        const to = `to ${trial}`;
        const early = (trial % 2 ? near : far).post(mail('early', { to }));
        const { messages, stop, ended } = subscribe(near, { to: [to, 'nobody'] });
        const late = far.post(mail('late', { to }));
        const posted = await Promise.all([early, late]);
        await until(() => messages.length >= 2);
        await near.post(mail('last', { to }));
        await until(() => messages.length >= 3);
        stop();
        await ended;
        expect(ids(messages).slice(0, 2)).toEqual(ascending(ids(posted)));
        expect(messages).toHaveLength(3);
      }
    });

    test('can be resumed again and again', async () => {
      const mailbox = await fresh();
      const to = ['x', 'y', 'z'];
      const posting = (async () => {
        for (const n of numbered(400)) await mailbox.post(mail(n, { to: to[Number(n) % 3]! }));
      })();
      const seen: Message[] = [];
      for (let cuts = 0; seen.length < 400; cuts += 1)
        await new Promise<void>(cut => {
          const subscription = mailbox.subscribe(
            { to, after: seen.at(-1)?.id ?? 0 },
            {
              receive: batch => {
                seen.push(...batch.slice(0, 1 + (cuts % 20)));
                // The first batch may be received before `subscribe` returns.
                setImmediate(() => {
                  subscription.close();
                  cut();
                });
                return false;
              },
              ended: () => cut(),
            },
          );
        });
      await posting;
      expect(bodies(seen)).toEqual(numbered(400));
    });

    test('pauses for a slow subscriber, which receives everything once it resumes', async () => {
      const mailbox = await fresh();
      const batches: (readonly Message[])[] = [];
      let caughtUp = 0;
      await mailbox.post(mail('first'));
      const subscription = mailbox.subscribe(
        { to: ['bob'], after: 0 },
        {
          receive: batch => batches.push(batch) < 0,
          caughtUp: () => (caughtUp += 1),
          ended: () => undefined,
        },
      );
      await until(() => batches.length === 1);
      await Promise.all(numbered(2_500).map(n => mailbox.post(mail(n))));
      expect(batches.map(bodies)).toEqual([['first']]);
      expect(caughtUp).toBe(0);
      for (let count = 1; batches.flat().length < 2_501; count += 1) {
        subscription.resume();
        await until(() => batches.length === count + 1);
      }
      const seen = batches.flat();
      expect(Math.max(...batches.map(batch => batch.length))).toBeLessThanOrEqual(1_000);
      expect(new Set(bodies(seen))).toEqual(new Set(['first', ...numbered(2_500)]));
      expect(ids(seen)).toEqual(ascending(ids(seen)));
      subscription.resume();
      await until(() => caughtUp === 1);
      await mailbox.post(mail('last'));
      await until(() => batches.length > 0 && batches.at(-1)![0]!.body === 'last');
      expect(caughtUp).toBe(1);
      subscription.close();
    });

    test('gives streams that are opened together the same messages, a page of bounded bytes at a time', async () => {
      const mailbox = await fresh();
      const large = 'x'.repeat(100_000);
      for (const n of numbered(6)) await mailbox.post(mail(n + large));
      const batches: (readonly Message[])[][] = Array.from({ length: 5 }, () => []);
      const subscriptions = batches.map(into =>
        mailbox.subscribe(
          { to: ['bob'], after: 0 },
          { receive: batch => into.push(batch) < 0, ended: () => undefined },
        ),
      );
      await until(() => batches.every(({ length }) => length === 1));
      expect(new Set(batches.map(([first]) => first![0]))).toHaveProperty('size', 1);
      await mailbox.post(mail('last'));
      for (let count = 2; count <= 7; count += 1) {
        for (const subscription of subscriptions) subscription.resume();
        await until(() => batches.every(({ length }) => length === count));
      }
      for (const received of batches)
        expect(received.map(batch => batch.map(({ body }) => body.slice(0, 4)))).toEqual([
          ...numbered(6).map(n => [`${n}xxx`]),
          ['last'],
        ]);
      for (const subscription of subscriptions) subscription.close();
    });

    test('reports once that what was there at the beginning has been received', async () => {
      const mailbox = await fresh();
      const empty = subscribe(mailbox, { to: ['eve'] });
      await Promise.all(numbered(300).map(n => mailbox.post(mail(n))));
      const full = subscribe(mailbox);
      await until(() => empty.backlog !== null && full.backlog !== null);
      await mailbox.post(mail('new'));
      await until(() => full.messages.length === 301);
      expect([empty.backlog, full.backlog]).toEqual([0, 300]);
    });

    test('yields every message to each subscriber of a recipient, also after another one has left', async () => {
      const [near, far] = [await fresh(), await another()];
      const subscribers = [near, near, far].map(client => subscribe(client));
      await near.post(mail('0'));
      await until(() => subscribers.every(({ messages }) => messages.length === 1));
      subscribers[0]!.stop();
      await subscribers[0]!.ended;
      await far.post(mail('1'));
      await until(() => subscribers.slice(1).every(({ messages }) => messages.length === 2));
      expect(subscribers[0]!.messages).toHaveLength(1);
      const again = subscribe(near);
      await until(() => again.messages.length === 2);
    });

    test('yields messages posted by other processes, each once', async () => {
      const mailbox = await fresh();
      const to = ['x', 'y', 'z'];
      const { messages } = subscribe(mailbox, { to });
      const posters = [poster(to), poster(to)];
      await until(() => posters.every(({ acknowledged }) => acknowledged.length > 200));
      for (const one of posters) await one.kill();
      const acknowledged = ascending(posters.flatMap(one => ids(one.acknowledged)));
      await until(() => messages.some(({ id }) => id >= acknowledged.at(-1)!));
      expect(ids(messages)).toEqual(ascending(ids(messages)));
      expect(ids(messages)).toEqual(expect.arrayContaining(acknowledged));
    });

    test('ends when it is closed and when the mailbox is, at once when that came first', async () => {
      const mailbox = await fresh();
      const stopped = subscribe(mailbox);
      const closed = subscribe(mailbox);
      await mailbox.post(mail('a'));
      await until(() => stopped.messages.length + closed.messages.length === 2);
      stopped.stop();
      await stopped.ended;
      await mailbox.close();
      await closed.ended;
      await subscribe(mailbox).ended;
      expect(stopped.messages).toHaveLength(1);
    });

    test('rejects invalid filters', async () => {
      const mailbox = await fresh();
      expect(() => subscribe(mailbox, { to: [] })).toThrow(TypeError);
      expect(() => subscribe(mailbox, { after: -1 })).toThrow(TypeError);
    });
  });
}
