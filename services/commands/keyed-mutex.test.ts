import { createKeyedMutex } from './keyed-mutex';

it('runs the work of one key one after the other, also after a failure, and that of others meanwhile', async () => {
  const exclusive = createKeyedMutex(9);
  const steps: string[] = [];
  let finish: () => void = () => undefined;
  const first = exclusive('a', 'caller', () => new Promise<void>(resolve => (finish = resolve)));
  const second = exclusive('a', 'caller', async () => {
    steps.push('second');
    throw new Error('failed');
  });
  const third = exclusive('a', 'caller', async () => void steps.push('third'));
  await exclusive('b', 'caller', async () => void steps.push('other key'));
  expect(steps).toEqual(['other key']);
  finish();
  await first;
  await expect(second).rejects.toThrow('failed');
  await third;
  expect(steps).toEqual(['other key', 'second', 'third']);
});
