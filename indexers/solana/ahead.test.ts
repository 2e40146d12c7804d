import { ahead } from './ahead';

test('yields in order, with no more than the width in flight', async () => {
  let flying = 0;
  let most = 0;
  const read = async (n: number): Promise<number> => {
    most = Math.max(most, ++flying);
    for (let i = 0; i < 10 - n; i++) await Promise.resolve();
    flying--;
    return n * n;
  };
  const squares: number[] = [];
  for await (const square of ahead([1, 2, 3, 4, 5, 6, 7], 3, read)) squares.push(square);
  expect(squares).toEqual([1, 4, 9, 16, 25, 36, 49]);
  expect(most).toBe(3);
});

test('an error comes at its turn, after what was before it', async () => {
  const seen: number[] = [];
  const run = async (): Promise<void> => {
    const read = (n: number): Promise<number> =>
      n > 1 ? Promise.reject(new Error(`no ${n}`)) : Promise.resolve(n);
    for await (const n of ahead([1, 2, 3], 3, read)) seen.push(n);
  };
  await expect(run()).rejects.toThrow('no 2');
  expect(seen).toEqual([1]);
});
