import { setMaxListeners } from 'node:events';
import {
  PartnerBusy,
  PartnerUnavailable,
  type PartnerPriority,
} from '../../../contracts/ports/exchange-partner';
import { createRequestBudget } from './budget';

const never = new AbortController().signal;
setMaxListeners(0, never);

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A budget of 8 a second, and when which calls went. */
function budgetOf(maxWaiting?: number) {
  const budget = createRequestBudget({
    perSecond: 8,
    now: Date.now,
    ...(maxWaiting !== undefined && { maxWaiting }),
  });
  const sent: {
    readonly priority: PartnerPriority;
    readonly caller: string | undefined;
    readonly at: number;
  }[] = [];
  const send = (priority: PartnerPriority, count = 1, signal = never, caller?: string): Promise<unknown>[] =>
    Array.from({ length: count }, () =>
      budget.take({ priority, signal, ...(caller !== undefined && { caller }) }).then(
        () => void sent.push({ priority, caller, at: Date.now() }),
        (error: unknown) => error,
      ),
    );
  const sentOf = (priority: PartnerPriority): number =>
    sent.filter(each => each.priority === priority).length;
  return { budget, sent, send, sentOf, pass: (ms: number) => jest.advanceTimersByTimeAsync(ms) };
}

it('sends 8 a second, and never more than 10 within any second', async () => {
  const { send, sent, pass } = budgetOf(1_000);
  await pass(5_000);
  void send('order', 100);
  await pass(10_000);
  expect(sent.length).toBeGreaterThanOrEqual(80);
  expect(sent.length).toBeLessThanOrEqual(82);
  for (const { at } of sent)
    expect(sent.filter(other => other.at >= at && other.at < at + 1_000).length).toBeLessThanOrEqual(10);
});

it('serves people first, in their order, and the background with what they leave', async () => {
  const { send, sent, sentOf, pass } = budgetOf(1_000);
  void send('background', 40);
  await pass(1_000);
  const before = sentOf('background');
  expect(before).toBeGreaterThanOrEqual(8);
  void send('order', 16);
  await pass(2_000);
  expect([sentOf('order'), sentOf('background')]).toEqual([16, before]);
  await pass(1_000);
  expect(sentOf('background')).toBe(before + 8);
  expect(sent).toHaveLength(16 + before + 8);
});

it('gives what people refresh at most half, and the background the other half', async () => {
  const { send, sentOf, pass } = budgetOf(1_000);
  void send('refresh', 100);
  void send('background', 100);
  await pass(10_000);
  expect(sentOf('refresh')).toBeGreaterThanOrEqual(40);
  expect(sentOf('refresh')).toBeLessThanOrEqual(41);
  expect(sentOf('background')).toBeGreaterThanOrEqual(40);
});

it('refuses what would wait too long, with the time after which it need not', async () => {
  const { send, sentOf, pass } = budgetOf(40);
  const outcomes = send('order', 2 + 40 + 3);
  await pass(0);
  const refused = await Promise.all(outcomes.slice(-3));
  for (const error of refused) expect(error).toBeInstanceOf(PartnerBusy);
  expect(refused).toMatchObject([{ retryAfterMs: 5_000 }, { retryAfterMs: 5_000 }, { retryAfterMs: 5_000 }]);
  const [other] = send('background');
  await pass(6_000);
  expect([sentOf('order'), await other]).toEqual([42, undefined]);
});

it('lets estimates and orders take turns, however many wait', async () => {
  const { send, sent, pass } = budgetOf(1_000);
  void send('order', 50);
  void send('estimate', 5);
  await pass(2_000);
  const turns = sent.slice(2).map(({ priority }) => priority);
  expect(turns.slice(0, 10)).toEqual(Array.from({ length: 5 }, () => ['estimate', 'order']).flat());
  expect(new Set(turns.slice(10))).toEqual(new Set(['order']));
});

it('lets one of the background go every 2.5 seconds, however much people ask for', async () => {
  const { send, sentOf, pass } = budgetOf(1_000);
  void send('estimate', 500);
  void send('order', 500);
  void send('background', 20);
  await pass(25_100);
  expect(sentOf('background')).toBeGreaterThanOrEqual(9);
  expect(sentOf('background')).toBeLessThanOrEqual(10);
});

it('lets callers take turns, each in its order', async () => {
  const { send, sent, pass } = budgetOf(1_000);
  void send('order', 20, never, 'one');
  void send('order', 20, never, 'two');
  void send('order', 2, never, 'late');
  await pass(2_000);
  const turns = sent.slice(2).map(({ caller }) => caller);
  expect(turns.slice(0, 8)).toEqual(['one', 'two', 'late', 'one', 'two', 'late', 'one', 'two']);
  expect(turns).not.toContain(undefined);
});

it('lets the caller with most calls lose the newest one when too many wait', async () => {
  const { send, sent, sentOf, pass } = budgetOf(10);
  const one = send('order', 2 + 7, never, 'one');
  const two = send('order', 3, never, 'two');
  const [three] = send('order', 1, never, 'three');
  const [refused] = send('order', 4, never, 'one').slice(-1);
  for (const lost of [one.at(-1)!, refused!])
    expect(await lost).toMatchObject({ name: 'PartnerUnavailable', retryAfterMs: 1_250 });
  await pass(5_000);
  expect(await Promise.all([...two, three!])).toEqual([undefined, undefined, undefined, undefined]);
  expect(sent.filter(({ caller }) => caller === 'one')).toHaveLength(2 + 6);
  expect(sentOf('order')).toBe(2 + 10);
});

it('sends nothing for a caller that has left', async () => {
  const { send, sentOf, pass } = budgetOf();
  void send('order', 4);
  const leaving = new AbortController();
  const [left] = send('order', 1, leaving.signal);
  leaving.abort();
  expect(await left).toBeInstanceOf(PartnerBusy);
  expect(await send('order', 1, leaving.signal)[0]).toBeInstanceOf(PartnerBusy);
  await pass(2_000);
  expect(sentOf('order')).toBe(4);
});

it('pauses when the partner asks for it, and goes on by itself', async () => {
  const { budget, send, sentOf, pass } = budgetOf();
  budget.pause(3_000);
  void send('order', 2);
  await pass(2_999);
  expect(sentOf('order')).toBe(0);
  await pass(2);
  expect(sentOf('order')).toBe(2);
});

it('does not fail when time goes back', async () => {
  const { send, sentOf, pass } = budgetOf();
  void send('order', 2);
  jest.setSystemTime(-10_000);
  void send('order', 1);
  await pass(1_000);
  expect(sentOf('order')).toBe(3);
});

describe('a budget that several processes have', () => {
  it('is asked before each request, waits as it says, and lets nobody pass who came later', async () => {
    const delays = [0, 200, 0, 300, 50, 0];
    const asked: number[] = [];
    const budget = createRequestBudget({
      perSecond: 1_000,
      now: Date.now,
      shared: {
        async take() {
          asked.push(Date.now());
          return delays.shift() ?? 0;
        },
      },
    });
    const sent: string[] = [];
    for (const name of ['first', 'second', 'third'])
      void budget
        .take({ priority: 'background', signal: never })
        .then(() => sent.push(`${name} ${Date.now()}`));
    await jest.advanceTimersByTimeAsync(100);
    void budget.take({ priority: 'order', signal: never }).then(() => sent.push(`order ${Date.now()}`));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual(['first 0', 'order 200', 'second 550', 'third 550']);
    expect(asked).toEqual([0, 0, 200, 200, 500, 550, 550]);
  });

  it('is not lost when the last caller leaves while it is asked', async () => {
    let answer = (_delayMs: number): void => undefined;
    const answers = [new Promise<number>(resolve => (answer = resolve))];
    const budget = createRequestBudget({
      perSecond: 8,
      now: Date.now,
      shared: { take: () => answers.shift() ?? Promise.resolve(0) },
    });
    const leaving = new AbortController();
    const left = budget.take({ priority: 'order', signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toThrow(PartnerUnavailable);
    answer(0);
    await jest.advanceTimersByTimeAsync(0);
    await expect(budget.take({ priority: 'order', signal: never })).resolves.toBeUndefined();
  });
});
