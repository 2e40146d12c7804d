import { all, type MailboxHarness, until } from './harness';

export function describeProcessCrash({ fresh, another, poster }: MailboxHarness): void {
  describe('a posting process that is killed', () => {
    test('loses no acknowledged message', async () => {
      await fresh();
      const to = ['x', 'y', 'z'];
      const acknowledged = new Map<string, number>();
      for (let round = 0; round < 3; round += 1) {
        const process = poster(to);
        await until(() => process.acknowledged.length > 150);
        await process.kill();
        for (const { id, body } of process.acknowledged) acknowledged.set(body, id);
      }
      const mailbox = await another();
      const found = new Map<string, number>();
      for (let after = 0, done = false; !done;) {
        const page = await mailbox.read({ to, after, limit: 100 });
        for (const { body, id } of page) found.set(body, id);
        after = page.at(-1)?.id ?? after;
        done = page.length === 0;
      }
      expect([...acknowledged].filter(([body, id]) => found.get(body) !== id)).toEqual([]);
      const { id } = await mailbox.post({ from: 'ann', to: 'x', body: 'after', ttlMs: 1_000 });
      expect(id).toBeGreaterThan(Math.max(...found.values()));
      expect((await all(mailbox, 'x')).length).toBeGreaterThan(0);
    });
  });
}
