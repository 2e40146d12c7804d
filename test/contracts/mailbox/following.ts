import type { Message } from '../../../contracts/ports/mailbox';
import { ascending, bodies, ids, mail, numbered, type Places, until } from './places';

export function describeFollowing({ fresh, another, follow, poster }: Places): void {
  describe('following', () => {
    test('gives what is there, then what comes, from any client', async () => {
      const [near, far] = [await fresh(), await another()];
      for (const n of numbered(5)) await near.post(mail(n, { to: Number(n) % 2 ? 'rob' : 'bob' }));
      const { messages } = follow(near, { to: ['rob', 'bob'] });
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

    test('begins after an id', async () => {
      const mailbox = await fresh();
      const posted = [];
      for (const n of numbered(4)) posted.push(await mailbox.post(mail(n)));
      const { messages } = follow(mailbox, { after: posted[1]!.id });
      await mailbox.post(mail('4'));
      await until(() => messages.length === 3);
      expect(bodies(messages)).toEqual(['2', '3', '4']);
    });

    test('a long backlog of several recipients comes whole and in order', async () => {
      const mailbox = await fresh();
      const to = ['v', 'w', 'x', 'y', 'z'];
      const ttls = [300_000, 60_000, 200_000];
      const post = (n: string) =>
        mailbox.post(mail(n, { to: to[Number(n) % 5]!, ttl: ttls[Number(n) % 3]! }));
      const posted = await Promise.all(numbered(3_000).map(post));
      const { messages } = follow(mailbox, { to });
      await until(() => messages.length === 3_000);
      expect(ids(messages)).toEqual(ascending(ids(posted)));
    });

    test('has no gap and nothing twice where it began while others post', async () => {
      const [near, far] = [await fresh(), await another()];
      for (let trial = 0; trial < 60; trial += 1) {
        const to = `to ${trial}`;
        const early = (trial % 2 ? near : far).post(mail('early', { to }));
        const { messages, stop, ended } = follow(near, { to: [to, 'nobody'] });
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

    test('cut again and again goes on where it was', async () => {
      const mailbox = await fresh();
      const to = ['x', 'y', 'z'];
      const posting = (async () => {
        for (const n of numbered(400)) await mailbox.post(mail(n, { to: to[Number(n) % 3]! }));
      })();
      const seen: Message[] = [];
      for (let cuts = 0; seen.length < 400; cuts += 1)
        for await (const batch of mailbox.follow({ to, after: seen.at(-1)?.id ?? 0 })) {
          seen.push(...batch.slice(0, 1 + (cuts % 20)));
          break;
        }
      await posting;
      expect(bodies(seen)).toEqual(numbered(400));
    });

    test('slowly is possible: what waits stays where it is', async () => {
      const mailbox = await fresh();
      const batches = mailbox.follow({ to: ['bob'], after: 0 })[Symbol.asyncIterator]();
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

    test('by many of the same recipient gives all to each; one who leaves takes nobody along', async () => {
      const [near, far] = [await fresh(), await another()];
      const followers = [near, near, far].map(client => follow(client));
      await near.post(mail('0'));
      await until(() => followers.every(({ messages }) => messages.length === 1));
      followers[0]!.stop();
      await followers[0]!.ended;
      await far.post(mail('1'));
      await until(() => followers.slice(1).every(({ messages }) => messages.length === 2));
      expect(followers[0]!.messages).toHaveLength(1);
      const again = follow(near);
      await until(() => again.messages.length === 2);
    });

    test('gives what other processes post, each message once', async () => {
      const mailbox = await fresh();
      const to = ['x', 'y', 'z'];
      const { messages } = follow(mailbox, { to });
      const posters = [poster(to), poster(to)];
      await until(() => posters.every(({ acknowledged }) => acknowledged.length > 200));
      for (const one of posters) await one.kill();
      const acknowledged = ascending(posters.flatMap(one => ids(one.acknowledged)));
      await until(() => messages.some(({ id }) => id >= acknowledged.at(-1)!));
      expect(ids(messages)).toEqual(ascending(ids(messages)));
      expect(ids(messages)).toEqual(expect.arrayContaining(acknowledged));
    });

    test('ends at the signal, at the end of the mailbox, and at once when it is too late', async () => {
      const mailbox = await fresh();
      const stopped = follow(mailbox);
      const closed = follow(mailbox);
      await mailbox.post(mail('a'));
      await until(() => stopped.messages.length + closed.messages.length === 2);
      stopped.stop();
      await stopped.ended;
      const ended = mailbox.follow({ to: ['bob'], after: 0, signal: AbortSignal.abort() });
      expect(await ended[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
      await mailbox.close();
      await closed.ended;
      const late = mailbox.follow({ to: ['bob'], after: 0 });
      expect(await late[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
    });

    test('refuses what reading refuses', async () => {
      const mailbox = await fresh();
      expect(() => mailbox.follow({ to: [], after: 0 })).toThrow(TypeError);
      expect(() => mailbox.follow({ to: ['bob'], after: -1 })).toThrow(TypeError);
    });
  });
}
