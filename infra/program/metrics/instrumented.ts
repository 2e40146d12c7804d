import type { EventStore } from '../../../contracts/ports/event-store';
import type { Engines } from '../../engines/engines';
import type { Metrics } from './metrics';

/** The same engines, with the calls and interruptions of the event store, and the duration of each append, in the metrics. */
export function instrumented(
  engines: Engines,
  { appendSeconds, eventStoreCalls, eventStoreInterruptions }: Metrics,
): Engines {
  const store = countingCalls(engines.store, call => eventStoreCalls.inc({ call }));
  return {
    ...engines,
    store: {
      ...store,
      async append(...append) {
        const ended = appendSeconds.startTimer();
        const appended = await store.append(...append);
        ended();
        return appended;
      },
      subscribe: options =>
        store.subscribe({
          ...options,
          onInterrupted: reason => {
            eventStoreInterruptions.inc({ reason });
            options.onInterrupted?.(reason);
          },
        }),
    },
  };
}

/** A call that is a round trip to the server of a remote event store; `stream` where it is about one. */
type OnCall = (
  call: 'append' | 'delete' | 'end' | 'head' | 'read_all' | 'read_stream' | 'subscribe',
  stream?: string,
) => void;

/** The same event store, which reports each call as it begins. */
export function countingCalls(store: EventStore, onCall: OnCall): EventStore {
  return {
    ...store,
    append: (stream, ...append) => {
      onCall('append', stream);
      return store.append(stream, ...append);
    },
    deleteUpTo: (stream, revision) => {
      onCall('delete', stream);
      return store.deleteUpTo(stream, revision);
    },
    readStream: (stream, options) => {
      onCall('read_stream', stream);
      return store.readStream(stream, options);
    },
    readAll: options => {
      onCall('read_all');
      return store.readAll(options);
    },
    subscribe: options => {
      onCall('subscribe');
      return store.subscribe(options);
    },
    head: () => {
      onCall('head');
      return store.head();
    },
    end: () => {
      onCall('end');
      return store.end();
    },
  };
}
