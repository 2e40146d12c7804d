import { setImmediate as turn } from 'node:timers/promises';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { type Connection, PATIENCE } from './connection';
import { fault, unavailable } from './faults';
import { sizeOf } from './records';

/** The answers to one read, held back at the server while nobody takes them. */
export interface Feed {
  /**
   * At most `most` answers in their order, null at the end of them. Waits for the first one, and gives none when it
   * does not come within `patience` milliseconds.
   * @throws EngineUnavailable after the last answer that came
   */
  take(most: number, patience: number): Promise<ReadResp[] | null>;
  /** Ends it, for whoever waits too. */
  close(): void;
}

const MOST_BYTES = 4 * 1024 * 1024;

/** @param capacity answers that may have come and not be taken; fewer when they are large */
export async function openFeed(connection: Connection, request: ReadReq, capacity: number): Promise<Feed> {
  const call = await connection.read(request);
  const held: ReadResp[] = [];
  let bytes = 0;
  let ending: Error | 'end' | null = null;
  let wake = (): void => undefined;

  const end = (how: Error | 'end'): void => {
    ending ??= how;
    wake();
  };
  call
    .on('data', (answer: ReadResp) => {
      held.push(answer);
      bytes += sizeOf(answer);
      if (held.length >= capacity || bytes >= MOST_BYTES) call.pause();
      wake();
    })
    .on('end', () => end('end'))
    .on('error', error => end(fault(error)));

  const arrival = (patience: number): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, patience);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  return {
    take: async (most, patience) => {
      if (held.length === 0 && !ending) {
        await arrival(patience);
        // Answers that came in one piece of the network are handed over one by one: let them gather.
        await turn();
      }
      if (held.length > 0) {
        const taken = held.splice(0, most);
        bytes = held.reduce((sum, answer) => sum + sizeOf(answer), 0);
        call.resume();
        return taken;
      }
      if (ending === null) return [];
      if (ending === 'end') return null;
      throw ending;
    },
    close: () => {
      held.length = 0;
      end('end');
      call.cancel();
    },
  };
}

/** All answers to a read that has an end. */
export async function* answers(
  connection: Connection,
  request: ReadReq,
  capacity: number,
): AsyncGenerator<ReadResp[]> {
  const feed = await openFeed(connection, request, capacity);
  try {
    for (;;) {
      const taken = await feed.take(capacity, PATIENCE);
      if (taken === null) return;
      if (taken.length === 0) throw unavailable(`no answer to a read within ${PATIENCE / 1000} s`);
      yield taken;
    }
  } finally {
    feed.close();
  }
}
