import { EventEmitter } from 'node:events';
import { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb';
import { type ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { BEGINNING } from '../../../../contracts/position';
import type { RecordedEvent } from '../../../../contracts/ports/event-store';
import type { Connection } from './connection';
import { Node, type ReadCall } from './node';
import { subscribe } from './subscription';

/** Has its responses at once; a subscription then goes on. */
class Call extends EventEmitter {
  constructor(responses: readonly ReadResp[], isSubscription: boolean) {
    super();
    setImmediate(() => {
      for (const response of responses) this.emit('data', response);
      if (!isSubscription) this.emit('end');
    });
  }
  pause(): void {}
  resume(): void {}
  cancel(): void {}
  destroy(): void {}
}

const confirmation = (): ReadResp => new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation());

test('a subscription to a store in which nothing happens asks how far it is at most once a second', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  const end = new AbortController();
  try {
    let reads = 0;
    const connection = {
      read: async (request: ReadReq) => {
        const isSubscription = request.getOptions()!.hasSubscription();
        if (!isSubscription) reads++;
        const call = new Call(isSubscription ? [confirmation()] : [], isSubscription);
        return {
          call,
          node: new Node(
            () => call as unknown as ReadCall,
            async () => undefined,
          ),
        };
      },
    } as unknown as Connection;
    const ended = (async () => {
      for await (const _ of subscribe({ connection }, { after: 0, signal: end.signal }));
    })();
    const SECONDS = 60;
    for (let ms = 0; ms < SECONDS * 1_000; ms += 50) {
      await jest.advanceTimersByTimeAsync(50);
      await new Promise(resolve => setImmediate(resolve));
    }
    expect(reads).toBeGreaterThan(SECONDS / 2);
    expect(reads).toBeLessThan(SECONDS + 5);
    end.abort();
    await ended;
  } finally {
    jest.useRealTimers();
  }
});

test('an event at which a page of catching up begins is delivered, although a checkpoint has named its position', async () => {
  const position = '64';
  const checkpoint = new ReadResp.Checkpoint().setCommitPosition(position).setPreparePosition('0');
  const event = new ReadResp.ReadEvent.RecordedEvent()
    .setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from('a-1')))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(Buffer.from('{}'));
  const responses = [
    confirmation(),
    new ReadResp().setCheckpoint(checkpoint),
    new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(event)),
  ];
  const connection = {
    read: async (request: ReadReq) => {
      const isSubscription = request.getOptions()!.hasSubscription();
      const call = new Call(isSubscription ? responses : [], isSubscription);
      const ask = () => call as unknown as ReadCall;
      return { call, node: new Node(ask, async () => undefined) };
    },
  } as unknown as Connection;
  const received: RecordedEvent[] = [];
  const signal = AbortSignal.timeout(60_000);
  for await (const batch of subscribe({ connection }, { after: BEGINNING, batchSize: 1, signal })) {
    received.push(...batch.events);
    if (batch.position >= Number(position)) break;
  }
  expect(received).toMatchObject([{ stream: 'a-1', position: Number(position) }]);
});
