import type { Mailbox, Message } from '../../contracts/ports/mailbox';
import type { EventStream, Frame } from '../http/event-feed';
import { MessageStream } from './message-stream';

test('a message is encoded once, for all streams that it is sent to', () => {
  const message: Message = {
    id: 7,
    from: 'ann',
    to: 'bob',
    body: 'a',
    expiresAt: 0,
    headers: { traceId: 't' },
  };
  const written: Frame[] = [];
  const stream = {
    write: (frames: readonly Frame[]) => written.push(...frames) > 0,
  } as unknown as EventStream;
  const mailbox = {
    subscribe: () => ({ resume: () => undefined, close: () => undefined }),
  } as unknown as Mailbox;
  const options = {
    queueDone: false,
    logger: undefined as never,
    onDelivered: () => undefined,
    charge: async () => 0,
  };
  for (let n = 0; n < 3; n += 1)
    new MessageStream(mailbox, { to: ['bob'], after: 0 }, stream, options).receive([message]);
  expect(new Set(written).size).toBe(1);
  expect(written[0]!.bytes.toString()).toBe(
    'event: message\nid: 7\ndata: {"from":"ann","message":"a","trace_id":"t"}\n\n',
  );
});
