import { setTimeout as sleep } from 'node:timers/promises';
import { batches, concurrentMap } from './concurrent-map';

async function collect<T>(input: AsyncIterable<T>): Promise<{ items: T[]; error?: unknown }> {
  const items: T[] = [];
  try {
    for await (const item of input) items.push(item);
  } catch (error) {
    return { items, error };
  }
  return { items };
}

describe('concurrentMap', () => {
  it('keeps the order of the input when calls finish out of order', async () => {
    const { items } = await collect(concurrentMap([30, 1, 20, 0], 4, async ms => sleep(ms, ms)));
    expect(items).toEqual([30, 1, 20, 0]);
  });

  it('reaches its concurrency and never exceeds it', async () => {
    let running = 0;
    let most = 0;
    const square = async (n: number): Promise<number> => {
      most = Math.max(most, ++running);
      for (let i = 0; i < 30 - n; i++) await Promise.resolve();
      running--;
      return n * n;
    };
    const { items } = await collect(concurrentMap(Array(20).keys(), 3, square));
    expect(items).toEqual([...Array(20).keys()].map(n => n * n));
    expect(most).toBe(3);
  });

  it('yields what comes before an error, then throws the error', async () => {
    const { items, error } = await collect(
      concurrentMap([1, 2, 3], 3, async n => (n === 3 ? Promise.reject(new Error('third')) : n)),
    );
    expect(items).toEqual([1, 2]);
    expect(error).toEqual(new Error('third'));
  });

  it('never yields a result after an error', async () => {
    const { items, error } = await collect(
      concurrentMap([1, 2, 3, 4, 5, 6], 3, async n => (n === 2 ? Promise.reject(new Error('second')) : n)),
    );
    expect(items).toEqual([1]);
    expect(error).toEqual(new Error('second'));
  });

  it('yields what is in flight before an error of the input', async () => {
    async function* broken() {
      yield 1;
      throw new Error('no more');
    }
    const { items, error } = await collect(concurrentMap(broken(), 3, async n => sleep(2, n)));
    expect(items).toEqual([1]);
    expect(error).toEqual(new Error('no more'));
  });
});

describe('batches', () => {
  it('batches the items that are ready, up to the weight', async () => {
    const { items } = await collect(
      batches(
        concurrentMap([1, 2, 3, 4, 5], 5, async n => n),
        2,
        () => 1,
      ),
    );
    expect(items.flat()).toEqual([1, 2, 3, 4, 5]);
    expect(items.every(batch => batch.length <= 2)).toBe(true);
    expect(items.length).toBeLessThan(5);
  });

  it('yields the batch before an error, then throws the error', async () => {
    async function* broken() {
      yield 1;
      yield 2;
      throw new Error('after two');
    }
    const { items, error } = await collect(batches(broken(), 10, () => 1));
    expect(items.flat()).toEqual([1, 2]);
    expect(error).toEqual(new Error('after two'));
  });
});
