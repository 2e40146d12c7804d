import { once } from 'node:events';
import { keepExpiringRequests } from './expire';

it('ends with its signal while there is nothing to do', async () => {
  const stopping = new AbortController();
  const views = {
    find: async () => ({ documents: [], next: null }),
    // As long as the signal does not fire.
    waitForChange: async (_sources: unknown, _timeoutMs: number, signal?: AbortSignal) => {
      setImmediate(() => stopping.abort());
      await once(signal!, 'abort');
    },
  };
  const handle = () => Promise.reject(new Error('no request has expired'));
  await keepExpiringRequests({ views, handle, clock: () => new Date() }, stopping.signal);
});
