import fc from 'fast-check';
import {
  MESSAGE_OVERHEAD_BYTES,
  type MailboxLimits,
  MailboxFull,
  type Message,
} from '../../../contracts/ports/mailbox';
import { mail, type MailboxHarness } from './harness';
import { runs } from '../../random';

const NAMES = ['x', 'y', 'z'] as const;
const LIMITS: MailboxLimits = { messages: 4, bytes: 60, totalBytes: 6 * MESSAGE_OVERHEAD_BYTES };

type Step =
  | { readonly post: { from: string; to: string; body: string; ttlMs: number } }
  | { readonly advance: number }
  | { readonly read: { to: readonly string[]; afterNth: number; limit: number } };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      post: fc.record({
        from: fc.constantFrom('a', 'b'),
        to: fc.constantFrom(...NAMES),
        body: fc.constantFrom('', '1', '22', '333', '4'.repeat(30)),
        ttlMs: fc.constantFrom(1_000, 5_000, 20_000),
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ advance: fc.constantFrom(1, 999, 1_000, 4_000, 30_000) }) },
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

/** A model of the mailbox: a list. */
class Model {
  now = 1_000_000;
  private messages: Omit<Message, 'id'>[] = [];
  readonly ids: number[] = [];

  /** The index of the duplicate, 'full' or 'new'. */
  post({
    ttlMs,
    ...message
  }: {
    from: string;
    to: string;
    body: string;
    ttlMs: number;
  }): number | 'new' | 'full' {
    const duplicate = this.messages.findIndex(
      ({ from, to, body, expiresAt }) =>
        from === message.from && to === message.to && body === message.body && expiresAt > this.now,
    );
    if (duplicate >= 0) return duplicate;
    const all = this.messages.filter(({ expiresAt }) => expiresAt > this.now);
    const waiting = all.filter(({ to }) => to === message.to);
    const bytesOf = (of: readonly { readonly body: string }[]): number =>
      [...of, message].reduce((sum, { body }) => sum + body.length + 'a{}'.length, 0);
    if (waiting.length >= LIMITS.messages || bytesOf(waiting) > LIMITS.bytes) return 'full';
    if (bytesOf(all) + (all.length + 1) * MESSAGE_OVERHEAD_BYTES > LIMITS.totalBytes) return 'full';
    this.messages.push({ ...message, headers: {}, expiresAt: this.now + ttlMs });
    return 'new';
  }

  read(to: readonly string[], after: number, limit: number): Message[] {
    return this.messages
      .map((message, n) => ({ id: this.ids[n]!, ...message }))
      .filter(message => message.id > after && to.includes(message.to) && message.expiresAt > this.now)
      .slice(0, limit);
  }
}

const ROOMY: MailboxLimits = {
  messages: 1_000,
  bytes: 1_000_000,
  totalBytes: 1_000 * MESSAGE_OVERHEAD_BYTES,
};

/** Such that some posts are far from every limit, and a few tens reach one. */
const groupLimits: fc.Arbitrary<MailboxLimits> = fc.constantFrom(
  { ...ROOMY, messages: 36 },
  { ...ROOMY, bytes: 400 },
  { ...ROOMY, totalBytes: 90 * MESSAGE_OVERHEAD_BYTES },
  { ...ROOMY, messages: 4 },
  { ...ROOMY, bytes: 60 },
  { ...ROOMY, totalBytes: 6 * MESSAGE_OVERHEAD_BYTES },
);

interface GroupPost {
  readonly to: string;
  readonly source: string;
  readonly body: string;
  readonly ttlMs: number;
}

type GroupStep =
  { readonly posts: readonly GroupPost[] } | { readonly advance: number } | { readonly restart: number };

const groupStep: fc.Arbitrary<GroupStep> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      posts: fc.array(
        fc.record({
          to: fc.constantFrom(...NAMES),
          source: fc.constantFrom('', 'home', 'office', 'train'),
          body: fc.oneof({ weight: 9, arbitrary: fc.nat(999).map(String) }, fc.constantFrom('again', '')),
          ttlMs: fc.constantFrom(1_000, 5_000, 20_000),
        }),
        { minLength: 1, maxLength: 9, size: 'max' },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ advance: fc.constantFrom(1, 999, 1_000, 4_000, 30_000) }) },
  { weight: 1, arbitrary: fc.record({ restart: fc.nat(1) }) },
);

/** The limits of a recipient, of all, and of the share that a source has of either, counted again for each post. */
class LimitsModel {
  now = 1_000_000;
  constructor(private readonly limits: MailboxLimits) {}

  private messages: (GroupPost & { readonly expiresAt: number; readonly size: number })[] = [];

  /** When there is no room, the time of the first expiry. */
  post(post: GroupPost): 'new' | 'duplicate' | number {
    const all = this.messages.filter(({ expiresAt }) => expiresAt > this.now);
    const waiting = all.filter(({ to }) => to === post.to);
    if (waiting.some(({ body }) => body === post.body)) return 'duplicate';
    const size = `ann{}${post.body}`.length;
    const message = { ...post, size, expiresAt: this.now + post.ttlMs };
    const { messages, bytes, totalBytes } = this.limits;
    const isFull = (of: typeof all, max: number, sizeOf: (message: { readonly size: number }) => number) => {
      const sum = (some: typeof all): number => some.reduce((sum, each) => sum + sizeOf(each), 0);
      const own = post.source === '' ? [] : of.filter(({ source }) => source === post.source);
      if (sum(of) + sizeOf(message) > max) return true;
      return own.length > 0 && 4 * (sum(own) + sizeOf(message)) > max - sum(of) + sum(own);
    };
    const firstExpiry = (of: typeof all): number => Math.min(...of.map(({ expiresAt }) => expiresAt));
    if (isFull(waiting, messages, () => 1) || isFull(waiting, bytes, each => each.size))
      return firstExpiry(waiting);
    if (isFull(all, totalBytes, each => each.size + MESSAGE_OVERHEAD_BYTES)) return firstExpiry(all);
    this.messages.push(message);
    return 'new';
  }
}

export function describeModel({ fresh, another }: MailboxHarness): void {
  test('equals a model after any sequence of posts, reads and expiries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
        const model = new Model();
        const mailboxes = [await fresh({ limits: LIMITS, clock: () => model.now }), await another()];
        for (const [n, one] of steps.entries()) {
          const mailbox = mailboxes[n % 2]!;
          if ('advance' in one) model.now += one.advance;
          else if ('read' in one) {
            const { to, afterNth, limit } = one.read;
            const after = model.ids[afterNth] ?? 0;
            expect(await mailbox.read({ to, after, limit })).toEqual(model.read(to, after, limit));
          } else {
            const expected = model.post(one.post);
            const posting = mailbox.post(mail('', one.post));
            if (expected === 'full') await expect(posting).rejects.toThrow(MailboxFull);
            else if (expected === 'new') {
              const posted = await posting;
              expect(posted).toEqual({ id: expect.any(Number) as number, isNew: true });
              expect(posted.id).toBeGreaterThan(model.ids.at(-1) ?? 0);
              model.ids.push(posted.id);
            } else expect(await posting).toEqual({ id: model.ids[expected], isNew: false });
          }
        }
        for (const mailbox of mailboxes) await mailbox.close();
      }),
      runs(10),
    );
  });

  test('equals a model of its limits after any groups of posts from several sources, expiries and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(
        groupLimits,
        fc.array(groupStep, { maxLength: 40, size: 'max' }),
        async (limits, steps) => {
          const model = new LimitsModel(limits);
          const mailboxes = [await fresh({ limits, clock: () => model.now }), await another()];
          for (const [n, one] of steps.entries()) {
            if ('advance' in one) model.now += one.advance;
            else if ('restart' in one) {
              await mailboxes[one.restart]!.close();
              mailboxes[one.restart] = await another();
            } else {
              const expected = one.posts.map(post => model.post(post));
              const posted = await Promise.all(
                one.posts.map(post =>
                  mailboxes[n % 2]!.post(mail('', post)).then(
                    ({ isNew }) => (isNew ? 'new' : 'duplicate'),
                    (error: MailboxFull) => error.freeAt,
                  ),
                ),
              );
              expect(posted).toEqual(expected);
            }
          }
          for (const mailbox of mailboxes) await mailbox.close();
        },
      ),
      runs(20),
    );
  });
}
