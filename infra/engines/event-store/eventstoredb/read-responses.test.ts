import { EventEmitter } from 'node:events';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import type { Connection } from './connection';
import { Node, type ReadCall } from './node';
import { readAllRequest } from './read-requests';
import { readEvents } from './read-responses';

/** A call that is never answered. */
class SilentCall extends EventEmitter {
  pause(): void {
    return;
  }
  resume(): void {
    return;
  }
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

/** Reads, from a node that drops each call after the responses. */
const readFromDroppingNodes = (responses: readonly ReadResp[]) => {
  let calls = 0;
  const connection = {
    read: async () => {
      const call = silentCall();
      calls += 1;
      setTimeout(() => {
        for (const response of responses) call.emit('data', response);
        const details = 'Connection dropped';
        call.emit('error', Object.assign(new Error(`14 UNAVAILABLE: ${details}`), { code: 14, details }));
      }, 20);
      return { call, node: new Node(silentCall, async () => undefined) };
    },
  } as unknown as Connection;
  const seen = { events: 0, error: null as unknown, calls: () => calls };
  const read = async (): Promise<void> => {
    for await (const batch of readEvents(connection, readAllRequest('end', 'backwards', null, 9), 9))
      seen.events += batch.length;
  };
  void read().catch((error: unknown) => (seen.error = error));
  return seen;
};

test('a read of which each connection is lost is repeated, and refused within five seconds', async () => {
  const seen = readFromDroppingNodes([]);
  await jest.advanceTimersByTimeAsync(3_900);
  expect(seen.error).toBeNull();
  await jest.advanceTimersByTimeAsync(1_100);
  expect(seen.error).toBeInstanceOf(EngineUnavailable);
  expect(seen.calls()).toBeGreaterThan(5);
});

test('a read that has given events is not repeated when its connection is lost', async () => {
  const recorded = new ReadResp.ReadEvent.RecordedEvent();
  const seen = readFromDroppingNodes([new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(recorded))]);
  await jest.advanceTimersByTimeAsync(5_000);
  expect([seen.events, seen.calls()]).toEqual([1, 1]);
  expect(seen.error).toBeInstanceOf(EngineUnavailable);
});
