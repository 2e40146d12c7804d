import { setTimeout as sleep } from 'node:timers/promises';
import { grouped, inOrder } from './in-order';

async function collect<T>(input: AsyncIterable<T>): Promise<{ items: T[]; error?: unknown }> {
  const items: T[] = [];
  try {
    for await (const item of input) items.push(item);
  } catch (error) {
    return { items, error };
  }
  return { items };
}

describe('inOrder', () => {
  it('keeps the order of the input whatever finishes first', async () => {
    const { items } = await collect(inOrder([30, 1, 20, 0], 4, async ms => sleep(ms, ms)));
    expect(items).toEqual([30, 1, 20, 0]);
  });

  it('never has more calls in flight than the window', async () => {
    let running = 0;
    let most = 0;
    await collect(
      inOrder(Array(20).keys(), 3, async () => {
        most = Math.max(most, ++running);
        await sleep(1);
        running--;
      }),
    );
    expect(most).toBe(3);
  });

  it('gives what comes before an error, then the error', async () => {
    const { items, error } = await collect(
      inOrder([1, 2, 3], 3, async n => (n === 3 ? Promise.reject(new Error('third')) : n)),
    );
    expect(items).toEqual([1, 2]);
    expect(error).toEqual(new Error('third'));
  });

  it('never gives a result from behind an error', async () => {
    const { items, error } = await collect(
      inOrder([1, 2, 3, 4, 5, 6], 3, async n => (n === 2 ? Promise.reject(new Error('second')) : n)),
    );
    expect(items).toEqual([1]);
    expect(error).toEqual(new Error('second'));
  });

  it('gives what is in flight before an error of the input', async () => {
    async function* broken() {
      yield 1;
      throw new Error('no more');
    }
    const { items, error } = await collect(inOrder(broken(), 3, async n => sleep(2, n)));
    expect(items).toEqual([1]);
    expect(error).toEqual(new Error('no more'));
  });
});

describe('grouped', () => {
  it('puts what is ready together, up to the weight', async () => {
    const { items } = await collect(
      grouped(
        inOrder([1, 2, 3, 4, 5], 5, async n => n),
        2,
        () => 1,
      ),
    );
    expect(items.flat()).toEqual([1, 2, 3, 4, 5]);
    expect(items.every(group => group.length <= 2)).toBe(true);
    expect(items.length).toBeLessThan(5);
  });

  it('gives the group before an error, then the error', async () => {
    async function* broken() {
      yield 1;
      yield 2;
      throw new Error('after two');
    }
    const { items, error } = await collect(grouped(broken(), 10, () => 1));
    expect(items.flat()).toEqual([1, 2]);
    expect(error).toEqual(new Error('after two'));
  });
});
