import { EventEmitter } from 'node:events';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import type { Connection } from './connection';
import { Node, type ReadCall } from './node';
import { readAllRequest } from './read-requests';
import { readEvents } from './read-responses';

/** A call that is never answered. */
class SilentCall extends EventEmitter {
  isCancelled = false;
  cancel(): void {
    this.isCancelled = true;
  }
  destroy(): void {
    this.emit('close');
  }
}

const silentCall = () => new SilentCall() as unknown as ReadCall & SilentCall;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Reads from nodes that are silent. */
const readFromSilentNodes = () => {
  const calls: SilentCall[] = [];
  const connection = {
    read: async () => {
      const call = silentCall();
      calls.push(call);
      return { call, node: new Node(silentCall, async () => undefined) };
    },
  } as unknown as Connection;
  const read = async (): Promise<void> => {
    for await (const _ of readEvents(connection, readAllRequest('end', 'backwards', null, 1), 1)) return;
  };
  const failed = { error: null as unknown };
  void read().catch((error: unknown) => (failed.error = error));
  return { calls, failed };
};

test('a read is sent to another node within three seconds of silence', async () => {
  const { calls } = readFromSilentNodes();
  await jest.advanceTimersByTimeAsync(3_000);
  expect(calls.length).toBeGreaterThan(1);
  expect(calls[0]!.isCancelled).toBe(true);
});

test('a read that no node answers is refused within five seconds, and leaves no call open', async () => {
  const { calls, failed } = readFromSilentNodes();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(failed.error).toBeInstanceOf(EngineUnavailable);
  expect(calls.map(({ isCancelled }) => isCancelled)).toEqual(calls.map(() => true));
});
