import { pino } from 'pino';
import type { Job, NewJob } from '../../../contracts/ports/jobs';
import { Placing } from '../../../test/exchange/placing';
import { createHandle } from '../../commands/handle';
import { placingJob } from './reaction';
import { workPlacing } from './worker';

const { signal } = new AbortController();

/** A worker whose jobs the test hands out. */
function worker(placing: Placing) {
  const added: NewJob[] = [];
  let handle: (job: Job) => Promise<void> = () => Promise.reject(new Error('not working'));
  void workPlacing(
    {
      store: placing.store,
      handle: createHandle({ store: placing.store }),
      partner: async () => placing.port,
      floatOrderTtlMs: 3_600_000,
      clock: placing.clock,
      logger: pino({ level: 'silent' }),
      onOutcome: () => undefined,
      jobs: {
        add: async job => added.push(job) > 0,
        work: async (_options, handler) => void (handle = handler),
      },
    },
    signal,
  );
  return {
    added,
    async place(orderId: string, source: string | null): Promise<void> {
      await placing.request(orderId, { source, payoutAddress: orderId });
      const { queue, id, data } = placingJob({ orderId, source }, 1);
      await handle({ queue, id, data, attempt: 1, signal });
    },
  };
}

it('postpones orders of a caller that has a quarter of the places, and of nobody else', async () => {
  const placing = new Placing();
  let answer = (): void => undefined;
  const answered = new Promise<void>(resolve => (answer = resolve));
  const calling: string[] = [];
  placing.port = {
    ordersTo: placing.partner.ordersTo,
    async createOrder(order, call) {
      calling.push(order.payoutAddress);
      await answered;
      return placing.partner.createOrder(order, call);
    },
  };
  const { added, place } = worker(placing);
  const strangers = Array.from({ length: 40 }, (_, n) => `stranger ${n}`);
  const running = strangers.map(id => place(id, 'stranger'));
  while (calling.length + added.length < strangers.length) await new Promise(setImmediate);
  expect(calling).toHaveLength(16);

  running.push(place('home', 'home'));
  while (!calling.includes('home')) await new Promise(setImmediate);
  answer();
  await Promise.all(running);
  expect(placing.shown('home')).not.toBeNull();

  expect(added).toHaveLength(24);
  expect(added[0]).toMatchObject({ data: { run: 2, source: 'stranger' }, delayMs: 1_000 });
  await place('later', 'stranger');
  expect(placing.shown('later')).not.toBeNull();
});
