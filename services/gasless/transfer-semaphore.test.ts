import { createTransferSemaphore } from './transfer-semaphore';

const tick = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

it('somebody with one estimate has a turn before a stranger with hundreds has the next', async () => {
  const semaphore = createTransferSemaphore();
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (caller: string) =>
    semaphore(caller, async () => {
      order.push(caller);
      await new Promise<void>(resolve => void ends.push(resolve));
      return 'done';
    });
  const callers = ['stranger', 'a', 'b', 'c'];
  const asked = Array.from({ length: 200 }, (_, n) => ask(callers[n % 4]!));
  await tick();
  // A quarter of the places each.
  expect(callers.map(caller => order.filter(each => each === caller).length)).toEqual([4, 4, 4, 4]);

  const honest = ask('honest');
  for (let turn = 0; turn < 5; turn++) {
    ends.shift()!();
    await tick();
  }
  expect(order.slice(16)).toContain('honest');

  const drain = setInterval(() => {
    for (const end of ends.splice(0)) end();
  });
  expect(await honest).toBe('done');
  await Promise.all(asked);
  clearInterval(drain);
});

it('what a caller with most asks for beyond what may wait is refused, not failed', async () => {
  const semaphore = createTransferSemaphore();
  let end = (): void => undefined;
  const ended = new Promise<void>(resolve => (end = resolve));
  const asked = Array.from({ length: 210 }, () => semaphore('stranger', () => ended.then(() => 'done')));
  end();
  const answers = await Promise.all(asked);
  expect(answers.filter(answer => answer === 'done')).toHaveLength(204);
  expect(answers.find(answer => answer !== 'done')).toMatchObject({ error: 'try-later' });
});
