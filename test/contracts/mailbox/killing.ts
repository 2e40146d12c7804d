import { all, type Places, until } from './places';

export function describeKilling({ fresh, another, poster }: Places): void {
  describe('a process that posts and is killed', () => {
    test('leaves behind every message that was acknowledged', async () => {
      await fresh();
      const to = ['x', 'y', 'z'];
      const told = new Map<string, number>();
      for (let round = 0; round < 3; round += 1) {
        const one = poster(to);
        await until(() => one.acknowledged.length > 150);
        await one.kill();
        for (const { id, body } of one.acknowledged) told.set(body, id);
      }
      const mailbox = await another();
      const found = new Map<string, number>();
      for (let after = 0, done = false; !done;) {
        const page = await mailbox.read({ to, after, limit: 100 });
        for (const { body, id } of page) found.set(body, id);
        after = page.at(-1)?.id ?? after;
        done = page.length === 0;
      }
      expect([...told].filter(([body, id]) => found.get(body) !== id)).toEqual([]);
      const { id } = await mailbox.post({ from: 'ann', to: 'x', body: 'after', ttl: 1_000 });
      expect(id).toBeGreaterThan(Math.max(...found.values()));
      expect((await all(mailbox, 'x')).length).toBeGreaterThan(0);
    });
  });
}
