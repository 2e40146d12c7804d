import { pino } from 'pino';
import { Problem } from '../../../contracts/problem/problem';
import { workFeePayments, type PaymentWorkerDeps } from './worker';

const method = { chain: 'ton', network: 'mainnet', address: `0:${'ab'.repeat(32)}` };

/** A double: an address that is watched after some refusals, and jobs of which there are none. */
function worker(refusals: readonly Error[]) {
  const left = [...refusals];
  const watch = jest.fn(async () => {
    const refusal = left.shift();
    if (refusal) throw refusal;
  });
  const work = jest.fn(async () => undefined);
  const deps = {
    paymentMethods: [method],
    watch,
    jobs: { work },
    logger: pino({ level: 'silent' }),
    retryMs: 1,
  } as unknown as PaymentWorkerDeps;
  return { watch, work, run: () => workFeePayments(deps, new AbortController().signal) };
}

it('waits until an address can be watched whose old history is being removed', async () => {
  const refusal = Problem.unavailable('is being removed', 5);
  const { watch, work, run } = worker([refusal, refusal]);
  await run();
  expect(watch).toHaveBeenCalledTimes(3);
  expect(work).toHaveBeenCalledTimes(1);
});

it('fails with every other error', async () => {
  const { work, run } = worker([new Error('the store is damaged')]);
  await expect(run()).rejects.toThrow('damaged');
  expect(work).not.toHaveBeenCalled();
});
