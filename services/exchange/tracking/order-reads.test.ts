import { partnerOrder } from '../../../test/exchange/order';
import { until } from '../../../test/until';
import { PartnerUnavailable, type PartnerOrderState } from '../../../contracts/ports/exchange-partner';
import { createOrderReads } from './order-reads';
import { PACES, type Pace } from './schedule';

/** Calls to the partner that the test answers. */
function openPartner() {
  const calls: {
    readonly ids: readonly string[];
    answer(orders?: readonly PartnerOrderState[]): void;
    fail(error: Error): void;
  }[] = [];
  const read = (ids: readonly string[]) =>
    new Promise<readonly PartnerOrderState[]>((resolve, reject) =>
      calls.push({
        ids,
        answer: (orders = ids.map(id => partnerOrder({ id }))) => resolve(orders),
        fail: reject,
      }),
    );
  return { calls, read };
}

const HOUR = 3_600_000;
const ids = (pace: Pace, count: number) => Array.from({ length: count }, (_, n) => `${pace}-${n}`);

describe('reads of orders', () => {
  it('go to the partner ten at a time, without waiting for more', async () => {
    const { calls, read } = openPartner();
    const reads = createOrderReads({ read, maxWaitMs: HOUR, maxConcurrent: 9 });
    const answers = ids('fast', 20).map(id => reads.read(id, 'fast'));
    expect(calls.map(call => call.ids)).toEqual([ids('fast', 20).slice(0, 10), ids('fast', 20).slice(10)]);
    for (const call of calls) call.answer();
    expect((await Promise.all(answers)).map(order => order?.id)).toEqual(ids('fast', 20));
  });

  it('go fewer at a time after the wait', async () => {
    jest.useFakeTimers();
    try {
      const { calls, read } = openPartner();
      const reads = createOrderReads({ read, maxWaitMs: HOUR, maxConcurrent: 9 });
      const answers = [reads.read('a', 'slow'), reads.read('a', 'slow'), reads.read('b', 'fast')];
      await jest.advanceTimersByTimeAsync(HOUR - 1);
      expect(calls).toHaveLength(0);
      await jest.advanceTimersByTimeAsync(1);
      expect(calls.map(call => [...call.ids].sort())).toEqual([['a', 'b']]);
      calls[0]!.answer([partnerOrder({ id: 'a' })]);
      expect((await Promise.all(answers)).map(order => order?.id ?? null)).toEqual(['a', 'a', null]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('are limited at a time', async () => {
    const { calls, read } = openPartner();
    const reads = createOrderReads({ read, maxWaitMs: HOUR, maxConcurrent: 2 });
    const answers = ids('fast', 30).map(id => reads.read(id, 'fast'));
    expect(calls).toHaveLength(2);
    calls[0]!.answer();
    await until(() => calls.length === 3);
    for (const call of calls) call.answer();
    await Promise.all(answers);
  });

  it('serve the urgent first, and starve none, when there are more than the partner answers', async () => {
    const { calls, read } = openPartner();
    const reads = createOrderReads({ read, maxWaitMs: HOUR, maxConcurrent: 1 });
    const answers = PACES.flatMap(pace => ids(pace, 200).map(id => reads.read(id, pace)));
    for (let served = 0; served < 16; served++) {
      await until(() => calls.length > served);
      calls[served]!.answer();
    }
    const served = calls.slice(0, 16).map(call => call.ids[0]!.split('-')[0]);
    expect(PACES.map(pace => served.filter(each => each === pace).length)).toEqual([10, 4, 2]);
    for (let n = 16; n < 60; n++) {
      await until(() => calls.length > n);
      calls[n]!.answer();
    }
    await Promise.all(answers);
    expect(calls.every(call => call.ids.length === 10)).toBe(true);
  });

  it('fill a batch of urgent ones with others', async () => {
    const { calls, read } = openPartner();
    const reads = createOrderReads({ read, maxWaitMs: HOUR, maxConcurrent: 1 });
    const answers = [
      ...ids('slow', 6).map(id => reads.read(id, 'slow')),
      ...ids('steady', 2).map(id => reads.read(id, 'steady')),
      ...ids('fast', 2).map(id => reads.read(id, 'fast')),
    ];
    expect(calls[0]!.ids).toEqual([...ids('fast', 2), ...ids('steady', 2), ...ids('slow', 6)]);
    calls[0]!.answer();
    await Promise.all(answers);
  });

  it('fail together when the partner fails, and those after them do not', async () => {
    const { calls, read } = openPartner();
    const reads = createOrderReads({ read, maxWaitMs: 1, maxConcurrent: 1 });
    const failing = [reads.read('a', 'fast'), reads.read('b', 'fast')];
    await until(() => calls.length === 1);
    const after = reads.read('c', 'fast');
    calls[0]!.fail(new PartnerUnavailable('down'));
    const results = await Promise.allSettled(failing);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await until(() => calls.length === 2);
    calls[1]!.answer();
    expect(await after).toMatchObject({ id: 'c' });
  });

  it('are refused when too many wait', async () => {
    const { read } = openPartner();
    const reads = createOrderReads({ read, maxWaitMs: HOUR, maxConcurrent: 1 });
    for (const id of ids('fast', 1_010)) void reads.read(id, 'fast');
    await expect(reads.read('one more', 'fast')).rejects.toThrow(PartnerUnavailable);
  });
});
