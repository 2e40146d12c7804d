import { Metadata, status } from '@grpc/grpc-js';
import { EngineAccessDenied } from '../../../../contracts/engine/engine-access-denied';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { isForAnotherNode, toEngineError } from './errors';

const errorOf = (code: status, details: string, trailers: Readonly<Record<string, string>> = {}): Error => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(`${code}: ${details}`), { code, details, metadata });
};

test.each([
  ['Server Is Not Ready', errorOf(status.UNAVAILABLE, 'Server Is Not Ready')],
  ['a timeout', errorOf(status.ABORTED, 'Operation timed out')],
  ['a deadline', errorOf(status.DEADLINE_EXCEEDED, 'Deadline exceeded')],
  ['no leader', errorOf(status.UNKNOWN, 'No leader info available in response')],
  ['another leader, not named', errorOf(status.NOT_FOUND, 'Not leader', { exception: 'not-leader' })],
  ['an error of the network', new Error('read ECONNRESET')],
])('%s is unavailable', (_, error) => {
  expect(toEngineError(error)).toBeInstanceOf(EngineUnavailable);
  expect(isForAnotherNode(toEngineError(error))).toBe(false);
});

test('the reason is what an operator can use', () => {
  const details =
    'No connection established. Last error: Error: connect ECONNREFUSED 127.0.0.1:2113. Resolution note: ';
  expect(toEngineError(errorOf(status.UNAVAILABLE, details))).toMatchObject({
    reason: 'connect ECONNREFUSED 127.0.0.1:2113',
  });
  expect(toEngineError(errorOf(status.UNAVAILABLE, 'Server Is Not Ready'))).toMatchObject({
    reason: 'Server Is Not Ready',
  });
});

test('a subscription that the server dropped for its slow consumer says so', () => {
  const details =
    'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.';
  const error = toEngineError(errorOf(status.ABORTED, details));
  expect(error).toBeInstanceOf(EngineUnavailable);
  expect(error.message).toContain('faster than they were taken');
});

test('a call that was not started, because the client left its node, is for another one', () => {
  const error = toEngineError(errorOf(status.UNAVAILABLE, 'Channel closed before call started'));
  expect(isForAnotherNode(error)).toBe(true);
});

test('a node that names the leader is recognized', () => {
  const leader = { 'leader-endpoint-host': '10.0.0.7', 'leader-endpoint-port': '2113' };
  const error = toEngineError(
    errorOf(status.NOT_FOUND, 'Leader info available', { exception: 'not-leader', ...leader }),
  );
  expect(error).toBeInstanceOf(EngineUnavailable);
  expect(isForAnotherNode(error)).toBe(true);
});

test.each([
  ['wrong credentials', errorOf(status.UNAUTHENTICATED, 'Unauthenticated')],
  ['a missing right', errorOf(status.PERMISSION_DENIED, 'Access Denied')],
  [
    'a missing right, by its trailer',
    errorOf(status.UNKNOWN, 'Access Denied', { exception: 'access-denied' }),
  ],
])('%s: access is denied', (_, error) => {
  const denied = toEngineError(error);
  expect(denied).toBeInstanceOf(EngineAccessDenied);
  expect(toEngineError(denied)).toBe(denied);
});

test.each([
  [
    'a position that is not of this store',
    errorOf(status.ABORTED, 'Trying to read from an invalid position.'),
    'no record at the position',
  ],
  [
    'a position that is not of this store, to a read',
    errorOf(status.UNKNOWN, 'Unexpected FilteredReadAllResult: InvalidPosition'),
    'no record at the position',
  ],
  [
    'a position that is not of this store, to a read before 24.2',
    errorOf(status.UNKNOWN, 'Unexpected ReadAllResult: Error'),
    'no record at the position',
  ],
  [
    'a request that the server does not accept',
    errorOf(status.INVALID_ARGUMENT, 'count'),
    'rejected the request',
  ],
])('%s is not unavailable', (_, error, words) => {
  expect(toEngineError(error)).not.toBeInstanceOf(EngineUnavailable);
  expect(toEngineError(error).message).toContain(words);
});
