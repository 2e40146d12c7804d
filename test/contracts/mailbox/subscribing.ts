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
        for await (const batch of mailbox.subscribe({ to, after: seen.at(-1)?.id ?? 0 })) {
          seen.push(...batch.slice(0, 1 + (cuts % 20)));
          break;
        }
      await posting;
      expect(bodies(seen)).toEqual(numbered(400));
    });

    test('waits for a slow consumer', async () => {
      const mailbox = await fresh();
      const batches = mailbox.subscribe({ to: ['bob'], after: 0 })[Symbol.asyncIterator]();
      await mailbox.post(mail('first'));
      expect(bodies((await batches.next()).value as Message[])).toEqual(['first']);
      await Promise.all(numbered(2_500).map(n => mailbox.post(mail(n))));
      const seen: Message[] = [];
      for (let count = 1; seen.length < 2_500; count += 1) {
        const batch = (await batches.next()).value as Message[];
        expect(batch.length).toBeLessThanOrEqual(1_000);
        seen.push(...batch);
      }
      expect(new Set(bodies(seen))).toEqual(new Set(numbered(2_500)));
      expect(ids(seen)).toEqual(ascending(ids(seen)));
      await batches.return?.();
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

    test('ends at the signal and when the mailbox is closed, and at once when either came first', async () => {
      const mailbox = await fresh();
      const stopped = subscribe(mailbox);
      const closed = subscribe(mailbox);
      await mailbox.post(mail('a'));
      await until(() => stopped.messages.length + closed.messages.length === 2);
      stopped.stop();
      await stopped.ended;
      const ended = mailbox.subscribe({ to: ['bob'], after: 0, signal: AbortSignal.abort() });
      expect(await ended[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
      await mailbox.close();
      await closed.ended;
      const late = mailbox.subscribe({ to: ['bob'], after: 0 });
      expect(await late[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
    });

    test('rejects invalid filters', async () => {
      const mailbox = await fresh();
      expect(() => mailbox.subscribe({ to: [], after: 0 })).toThrow(TypeError);
      expect(() => mailbox.subscribe({ to: ['bob'], after: -1 })).toThrow(TypeError);
    });
  });
}
