import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../until';
import { openEvents, type Delivered, type Reader } from './events';
import type { Bridge } from './request';

const RECONNECT_MS = 20;

/** A client that connects again whenever its connection ends, and continues after the last message it has seen. */
export interface Follower {
  /** All messages of all connections, in order. */
  readonly messages: readonly Delivered[];
  /** Connections so far. */
  readonly connections: number;
  stop(): Promise<void>;
}

/** Follows some clients. @param bridges to be used in turn, one for each connection */
export function follow(bridges: readonly Bridge[], ids: readonly string[]): Follower {
  const messages: Delivered[] = [];
  let connections = 0;
  let isStopping = false;

  const connect = (bridge: Bridge): Promise<Reader | undefined> =>
    openEvents(bridge, ids, { query: { last_event_id: String(messages.at(-1)?.id ?? 0) } }).catch(
      () => undefined,
    );
  const followed = (async () => {
    for (let next = 0; !isStopping; next++) {
      const reader = await connect(bridges[next % bridges.length]!);
      if (reader) {
        connections++;
        await until(
          () => {
            messages.push(...reader.messages.splice(0));
            return reader.isOver || isStopping;
          },
          Boolean,
          Infinity,
        );
        messages.push(...reader.messages.splice(0));
        reader.close();
      } else await sleep(RECONNECT_MS);
    }
  })();

  return {
    messages,
    get connections() {
      return connections;
    },
    async stop() {
      isStopping = true;
      await followed;
    },
  };
}
