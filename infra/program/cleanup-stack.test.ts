import { CleanupStack } from './cleanup-stack';

it('closes in the reverse order, one after the other, also after a failure', async () => {
  const stack = new CleanupStack();
  const closed: string[] = [];
  const close = (name: string) => async () => {
    await new Promise(setImmediate);
    closed.push(name);
  };
  stack.defer(close('engines'));
  stack.defer(() => Promise.reject(new Error('disk full')));
  stack.defer(close('server'));
  await expect(stack.run()).rejects.toMatchObject({ errors: [new Error('disk full')] });
  expect(closed).toEqual(['server', 'engines']);
});

it('closes nothing twice', async () => {
  const stack = new CleanupStack();
  const close = jest.fn();
  stack.defer(close);
  await stack.run();
  await stack.run();
  expect(close).toHaveBeenCalledTimes(1);
});
