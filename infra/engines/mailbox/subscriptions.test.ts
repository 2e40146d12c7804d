import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSubscriptions } from './subscriptions';

const STREAMS = 60;
const READ_MS = 4;

afterEach(() => jest.restoreAllMocks());

test('pages of many streams are read a few at a time, so that everything else has its turn between them', async () => {
  let now = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  let reads = 0;
  const subscriptions = createSubscriptions(
    ([to], after) => {
      reads += 1;
      now += READ_MS;
      const message = { id: after + 1, from: 'ann', to: to!, body: '', headers: {}, expiresAt: 0 };
      return { messages: [message], next: after === 0 ? 1 : null };
    },
    () => undefined,
  );
  let received = 0;
  const receive = (): boolean => (received += 1) > 0;
  for (let n = 0; n < STREAMS; n += 1)
    subscriptions.add({ to: [`${n}`], after: 0 }, { receive, ended: () => undefined }).start();
  expect(reads).toBe(STREAMS);
  while (received < 2 * STREAMS) {
    const before = reads;
    await nextTurn();
    // 10 ms of reading.
    expect(reads - before).toBeLessThanOrEqual(3);
  }
  subscriptions.close();
});
