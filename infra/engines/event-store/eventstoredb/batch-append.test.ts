import { EventEmitter } from 'node:events';
import { AllStreamPosition, Empty } from '@eventstore/db-client/generated/shared_pb';
import { Status } from '@eventstore/db-client/generated/status_pb';
import { type BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import { EngineAccessDenied } from '../../../../contracts/engine/engine-access-denied';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { validateAppend } from '../validate-append';
import { AppendTooLarge, type ExpectedRevision } from '../../../../contracts/ports/event-store';
import { createBatchAppend } from './batch-append';
import type { Connection } from './connection';
import { Node, type ReadCall } from './node';

/** A call that records requests and responds on command. */
class Call extends EventEmitter {
  readonly written: BatchAppendReq[] = [];
  isCancelled = false;
  write(request: BatchAppendReq): boolean {
    this.written.push(request);
    return true;
  }
  cancel(): void {
    this.isCancelled = true;
  }
  destroy(): void {
    this.emit('close');
  }
  answer(index: number, revision: number, position: string | null): void {
    const success = new BatchAppendResp.Success().setCurrentRevision(String(revision));
    if (position !== null)
      success.setPosition(new AllStreamPosition().setCommitPosition(position).setPreparePosition(position));
    const correlation = this.written[index]!.getCorrelationId();
    this.emit('data', new BatchAppendResp().setCorrelationId(correlation).setSuccess(success));
  }
  /** Responds with a status. @param type of its details */
  reject(index: number, message: string, type: string): void {
    const details = new Any();
    details.pack(new Empty().serializeBinary(), `event_store.client.${type}`);
    const correlation = this.written[index]!.getCorrelationId();
    const error = new Status().setMessage(message).setDetails(details);
    this.emit('data', new BatchAppendResp().setCorrelationId(correlation).setError(error));
  }
}

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const toAppend = (stream: string, expected: ExpectedRevision = 'any') =>
  validateAppend(stream, expected, [{ id: id(1), type: 'happened', data: {} }]);

/** What gRPC reports of a call that had begun. */
const drop = (call: Call, details = 'Connection dropped'): boolean =>
  call.emit('error', Object.assign(new Error(`14 UNAVAILABLE: ${details}`), { code: 14, details }));

const setUp = () => {
  const calls: Call[] = [];
  const nodes: Node[] = [];
  const left: Call[] = [];
  const connection = {
    append: async () => {
      const call = new Call();
      const node = new Node(
        () => new Call() as unknown as ReadCall,
        async () => void left.push(call),
      );
      calls.push(call);
      nodes.push(node);
      return { call, node };
    },
  } as unknown as { append: Connection['append'] };
  return { append: createBatchAppend(connection as Connection), calls, left, nodes, connection };
};

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('appends share a call in order, and responses may arrive in any order', async () => {
  const { append: send, calls } = setUp();
  const [first, second] = [send(toAppend('a')), send(toAppend('b'))];
  await turn();
  expect(calls).toHaveLength(1);
  const streams = calls[0]!.written.map(request =>
    Buffer.from(request.getOptions()!.getStreamIdentifier()!.getStreamName_asU8()).toString(),
  );
  expect(streams).toEqual(['a', 'b']);
  calls[0]!.answer(1, 7, '640');
  calls[0]!.answer(0, 3, '512');
  await expect(first).resolves.toEqual({ revision: 3, position: 512 });
  await expect(second).resolves.toEqual({ revision: 7, position: 640 });
});

test.each([null, '18446744073709551615'])(
  'a repeated append whose position the server does not know (%p) has none',
  async position => {
    const { append: send, calls } = setUp();
    const append = send(toAppend('a'));
    await turn();
    calls[0]!.answer(0, 3, position);
    await expect(append).resolves.toEqual({ revision: 3, position: null });
  },
);

test.each(['MaximumAppendSizeExceeded', 'MaximumAppendEventSizeExceeded'])(
  'an append rejected with %s is too large and must not be retried',
  async name => {
    const { append: send, calls, left } = setUp();
    const append = send(toAppend('a'));
    await turn();
    calls[0]!.reject(0, name, name);
    await expect(append).rejects.toThrow(AppendTooLarge);
    expect(left).toEqual([]);
  },
);

test.each([
  ['Server Is Not Ready', 'Empty'],
  ['Server Is Busy', 'Empty'],
  ['No leader info available in response', 'Empty'],
])(
  'a node that answers an append with %p is left; its call serves pending appends only',
  async (text, type) => {
    const { append: send, calls, left } = setUp();
    const [rejected, pending, alsoRejected] = ['a', 'b', 'c'].map(name => send(toAppend(name)));
    await turn();
    calls[0]!.reject(0, text, type);
    await expect(rejected).rejects.toThrow(new RegExp(`not available.*${text}`));
    const next = send(toAppend('d'));
    await turn();
    calls[0]!.reject(2, text, type);
    await expect(alsoRejected).rejects.toThrow(EngineUnavailable);
    expect(left).toEqual([calls[0]]);
    expect(calls[0]!.isCancelled).toBe(false);
    calls[0]!.answer(1, 0, '64');
    calls[1]!.answer(0, 0, '128');
    await expect(pending).resolves.toMatchObject({ position: 64 });
    await expect(next).resolves.toMatchObject({ position: 128 });
    expect(calls[0]!.isCancelled).toBe(true);
    expect(calls).toHaveLength(2);
  },
);

test('an append of which the server does not know whether it was made is asked for again', async () => {
  const { append: send, calls, left } = setUp();
  const append = send(toAppend('a'));
  await turn();
  calls[0]!.reject(0, 'Timeout', 'Timeout');
  await turn();
  const [first, second] = calls[0]!.written;
  expect(second!.getProposedMessagesList()).toEqual(first!.getProposedMessagesList());
  expect(second!.getCorrelationId()!.getString()).not.toBe(first!.getCorrelationId()!.getString());
  calls[0]!.answer(1, 0, '64');
  await expect(append).resolves.toEqual({ revision: 0, position: 64 });
  expect(left).toEqual([]);
});

test('a node that still does not know whether an append was made goes on with others, on the same call', async () => {
  const { append: send, calls, left } = setUp();
  const append = send(toAppend('a'));
  await turn();
  calls[0]!.reject(0, 'Timeout', 'Timeout');
  await turn();
  calls[0]!.reject(1, 'Timeout', 'Timeout');
  await expect(append).rejects.toThrow(EngineUnavailable);
  const next = send(toAppend('b'));
  await turn();
  calls[0]!.answer(2, 0, '64');
  await expect(next).resolves.toMatchObject({ position: 64 });
  expect([calls.length, left]).toEqual([1, []]);
});

test('an append that the server takes for malformed is not unavailable, and its node stays in use', async () => {
  const { append: send, calls, left } = setUp();
  const append = send(toAppend('a'));
  await turn();
  calls[0]!.reject(0, 'no type', 'BadRequest');
  const error = await append.catch((reason: unknown) => reason);
  expect(error).not.toBeInstanceOf(EngineUnavailable);
  expect(String(error)).toContain('the event store rejected an append to a: no type');
  expect(left).toEqual([]);
});

test('an append that the user may not make is not unavailable, and its node stays in use', async () => {
  const { append: send, calls, left } = setUp();
  const append = send(toAppend('a'));
  await turn();
  calls[0]!.reject(0, 'Access Denied', 'AccessDenied');
  await expect(append).rejects.toThrow(EngineAccessDenied);
  expect(left).toEqual([]);
});

test('when the call fails, all pending appends are unavailable, and the next append opens another call', async () => {
  const { append: send, calls } = setUp();
  const broken = [send(toAppend('a')), send(toAppend('b'))];
  await turn();
  calls[0]!.emit('error', Object.assign(new Error('unavailable'), { code: 14, details: 'unavailable' }));
  for (const append of broken) await expect(append).rejects.toThrow(EngineUnavailable);
  const next = send(toAppend('c'));
  await turn();
  expect(calls).toHaveLength(2);
  calls[1]!.answer(0, 0, '64');
  await expect(next).resolves.toEqual({ revision: 0, position: 64 });
});

describe('an append that', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test.each([7, 'no_stream'] as const)(
    'expects %p is sent on another call when its own is lost, as often as that happens',
    async expected => {
      const { append: send, calls } = setUp();
      const append = send(toAppend('a', expected));
      for (const lost of [0, 1, 2]) {
        await jest.advanceTimersByTimeAsync(100);
        expect(calls).toHaveLength(lost + 1);
        drop(calls[lost]!);
      }
      await jest.advanceTimersByTimeAsync(100);
      expect(calls[3]!.written.map(request => request.getProposedMessagesList())).toEqual(
        calls[0]!.written.map(request => request.getProposedMessagesList()),
      );
      calls[3]!.answer(0, 8, '64');
      await expect(append).resolves.toEqual({ revision: 8, position: 64 });
    },
  );

  test.each(['any', 'stream_exists'] as const)(
    'expects %p is not repeated when its call is lost: it may have been made, and forgotten',
    async expected => {
      const { append: send, calls } = setUp();
      const refused = expect(send(toAppend('a', expected))).rejects.toThrow('Connection dropped');
      await jest.advanceTimersByTimeAsync(0);
      drop(calls[0]!);
      await refused;
      expect(calls).toHaveLength(1);
    },
  );

  test('no node has seen, because the client left its node, is sent to another one, whatever it expects', async () => {
    const { append: send, calls } = setUp();
    const append = send(toAppend('a', 'any'));
    await jest.advanceTimersByTimeAsync(0);
    drop(calls[0]!, 'Channel closed before call started');
    await jest.advanceTimersByTimeAsync(100);
    calls[1]!.answer(0, 0, '64');
    await expect(append).resolves.toEqual({ revision: 0, position: 64 });
  });

  test('finds no server is refused at once', async () => {
    const { append: send, calls } = setUp();
    const refused = expect(send(toAppend('a', 7))).rejects.toThrow(EngineUnavailable);
    await jest.advanceTimersByTimeAsync(0);
    drop(calls[0]!, 'No connection established. Last error: Error: read ECONNRESET. Resolution note: ');
    await refused;
    expect(calls).toHaveLength(1);
  });

  test('is lost again and again is refused within five seconds', async () => {
    const { append: send, calls, connection } = setUp();
    const { append } = connection;
    connection.append = async () => {
      const sent = await append();
      setTimeout(drop, 20, calls.at(-1)!);
      return sent;
    };
    let error: unknown = null;
    void send(toAppend('a', 7)).catch((reason: unknown) => (error = reason));
    await jest.advanceTimersByTimeAsync(3_900);
    expect(error).toBeNull();
    await jest.advanceTimersByTimeAsync(1_100);
    expect(error).toBeInstanceOf(EngineUnavailable);
    expect(calls.length).toBeGreaterThan(5);
  });

  test('is not answered by a silent node is sent to another one, within three seconds', async () => {
    const { append: send, calls } = setUp();
    const append = send(toAppend('a', 'no_stream'));
    await jest.advanceTimersByTimeAsync(3_000);
    expect(calls.map(call => call.written.length)).toEqual([1, 1]);
    calls[1]!.answer(0, 0, '64');
    await expect(append).resolves.toEqual({ revision: 0, position: 64 });
  });

  test('is lost late does not wait for a node longer than five seconds', async () => {
    const { append: send, calls, connection } = setUp();
    let error: unknown = null;
    void send(toAppend('a', 'no_stream')).catch((reason: unknown) => (error = reason));
    await jest.advanceTimersByTimeAsync(1_500);
    connection.append = () => new Promise(() => undefined);
    drop(calls[0]!);
    await jest.advanceTimersByTimeAsync(3_500);
    expect(error).toBeInstanceOf(EngineUnavailable);
  });
});

test('appends whose call cannot be opened are unavailable, and the next append opens another', async () => {
  const { append: send, calls, connection } = setUp();
  const { append } = connection;
  connection.append = async () => {
    connection.append = append;
    throw new EngineUnavailable('event store', 'no node was found in time');
  };
  const lost = await Promise.allSettled([send(toAppend('a')), send(toAppend('b'))]);
  for (const outcome of lost)
    expect(outcome).toMatchObject({ reason: expect.any(EngineUnavailable) as unknown });
  const next = send(toAppend('c'));
  await turn();
  calls[0]!.answer(0, 0, '64');
  await expect(next).resolves.toEqual({ revision: 0, position: 64 });
});

test('the time limit of an append includes that in which its call is opened', async () => {
  jest.useFakeTimers();
  try {
    const { append: send, connection } = setUp();
    const { append } = connection;
    connection.append = async () => {
      await new Promise(resolve => setTimeout(resolve, 4_000));
      return append();
    };
    let error: unknown = null;
    void send(toAppend('a')).catch((reason: unknown) => (error = reason));
    await jest.advanceTimersByTimeAsync(4_600);
    expect(error).toBeInstanceOf(EngineUnavailable);
  } finally {
    jest.useRealTimers();
  }
});

test('an append without response times out; its call still serves pending appends but no new ones', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
  try {
    const { append: send, calls } = setUp();
    const lost = send(toAppend('a'));
    const given = expect(lost).rejects.toThrow('no response to an append within 4.5 s');
    await turn();
    jest.advanceTimersByTime(4_000);
    const late = send(toAppend('b'));
    await turn();
    jest.advanceTimersByTime(1_000);
    await given;
    const next = send(toAppend('c'));
    await turn();
    expect(calls.map(call => call.written.length)).toEqual([2, 1]);
    expect(calls[0]!.isCancelled).toBe(false);
    calls[0]!.answer(1, 0, '64');
    calls[1]!.answer(0, 0, '128');
    await expect(late).resolves.toMatchObject({ position: 64 });
    await expect(next).resolves.toMatchObject({ position: 128 });
    expect(calls[0]!.isCancelled).toBe(true);
  } finally {
    jest.useRealTimers();
  }
});

test('within three seconds of silence the next append has another call', async () => {
  jest.useFakeTimers();
  try {
    const { append: send, calls } = setUp();
    void send(toAppend('a')).catch(() => undefined);
    await jest.advanceTimersByTimeAsync(3_000);
    void send(toAppend('b')).catch(() => undefined);
    await jest.advanceTimersByTimeAsync(0);
    expect(calls.map(call => call.written.length)).toEqual([1, 1]);
  } finally {
    jest.useRealTimers();
  }
});

test('a call of which the node was left for its silence gets no further append, and waits for those that are pending', async () => {
  const { append: send, calls, nodes } = setUp();
  const pending = send(toAppend('a'));
  await turn();
  nodes[0]!.isSilent = true;
  const next = send(toAppend('b'));
  await turn();
  expect(calls.map(call => call.written.length)).toEqual([1, 1]);
  expect(calls[0]!.isCancelled).toBe(false);
  calls[0]!.answer(0, 0, '64');
  calls[1]!.answer(0, 0, '128');
  await expect(pending).resolves.toMatchObject({ position: 64 });
  await expect(next).resolves.toMatchObject({ position: 128 });
  expect(calls[0]!.isCancelled).toBe(true);
});
