import RequestQueue from 'kafkajs/src/network/requestQueue';
import './request-queue';

const LOGGER = { debug: () => undefined };
const queue = () =>
  new RequestQueue({ clientId: 'test', broker: 'test', requestTimeout: 1_000, logger: LOGGER });

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('plans nothing while no request waits', () => {
  queue().checkPendingRequests();
  expect(jest.getTimerCount()).toBe(0);
});

it('sends a request that waits at the end of the throttling, and is quiet again', () => {
  const sent = jest.fn();
  const throttled = queue();
  throttled.maybeThrottle(5_000);
  throttled.push({ entry: { correlationId: 1 }, expectResponse: true, sendRequest: sent });
  jest.advanceTimersByTime(4_900);
  expect(sent).not.toHaveBeenCalled();
  jest.advanceTimersByTime(200);
  expect(sent).toHaveBeenCalledTimes(1);
  expect(jest.getTimerCount()).toBe(0);
});
