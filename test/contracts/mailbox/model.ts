import fc from 'fast-check';
import { type Limits, MailboxFull, type Message } from '../../../contracts/ports/mailbox';
import { mail, type Places } from './places';

const NAMES = ['x', 'y', 'z'] as const;
const LIMITS: Limits = { messages: 4, bytes: 60 };

type Step =
  | { readonly post: { from: string; to: string; body: string; ttl: number } }
  | { readonly pass: number }
  | { readonly read: { to: readonly string[]; afterNth: number; limit: number } };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      post: fc.record({
        from: fc.constantFrom('a', 'b'),
        to: fc.constantFrom(...NAMES),
        body: fc.constantFrom('', '1', '22', '333', '4'.repeat(30)),
        ttl: fc.constantFrom(1_000, 5_000, 20_000),
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ pass: fc.constantFrom(1, 999, 1_000, 4_000, 30_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      read: fc.record({
        to: fc.subarray([...NAMES], { minLength: 1 }),
        afterNth: fc.nat(20),
        limit: fc.integer({ min: 1, max: 6 }),
      }),
    }),
  },
);

/** A mailbox as a list. */
class Model {
  now = 1_000_000;
  private kept: Omit<Message, 'id'>[] = [];
  readonly ids: number[] = [];

  /** The place in the list of the message that is the same; 'full'; or 'fresh'. */
  post({
    ttl,
    ...message
  }: {
    from: string;
    to: string;
    body: string;
    ttl: number;
  }): number | 'fresh' | 'full' {
    const known = this.kept.findIndex(
      ({ from, to, body, expires }) =>
        from === message.from && to === message.to && body === message.body && expires > this.now,
    );
    if (known >= 0) return known;
    const there = this.kept.filter(({ to, expires }) => to === message.to && expires > this.now);
    const bytes = [...there, message].reduce((sum, { body }) => sum + body.length + 'a{}'.length, 0);
    if (there.length >= LIMITS.messages || bytes > LIMITS.bytes) return 'full';
    this.kept.push({ ...message, headers: {}, expires: this.now + ttl });
    return 'fresh';
  }

  read(to: readonly string[], after: number, limit: number): Message[] {
    return this.kept
      .map((message, n) => ({ id: this.ids[n]!, ...message }))
      .filter(message => message.id > after && to.includes(message.to) && message.expires > this.now)
      .slice(0, limit);
  }
}

export function describeModel({ fresh, another }: Places): void {
  test('whatever is posted, read and forgotten, it is as a list would have it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
        const model = new Model();
        const mailboxes = [await fresh({ limits: LIMITS, clock: () => model.now }), await another()];
        for (const [n, one] of steps.entries()) {
          const mailbox = mailboxes[n % 2]!;
          if ('pass' in one) model.now += one.pass;
          else if ('read' in one) {
            const { to, afterNth, limit } = one.read;
            const after = model.ids[afterNth] ?? 0;
            expect(await mailbox.read({ to, after, limit })).toEqual(model.read(to, after, limit));
          } else {
            const expected = model.post(one.post);
            const posting = mailbox.post(mail('', one.post));
            if (expected === 'full') await expect(posting).rejects.toThrow(MailboxFull);
            else if (expected === 'fresh') {
              const posted = await posting;
              expect(posted).toEqual({ id: expect.any(Number) as number, fresh: true });
              expect(posted.id).toBeGreaterThan(model.ids.at(-1) ?? 0);
              model.ids.push(posted.id);
            } else expect(await posting).toEqual({ id: model.ids[expected], fresh: false });
          }
        }
        for (const mailbox of mailboxes) await mailbox.close();
      }),
      { numRuns: 40 },
    );
  }, 60_000);
}
