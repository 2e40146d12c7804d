import type { Position } from '../../../contracts/position';
import {
  DEFAULT_BATCH_SIZE,
  type EventBatch,
  type EventStore,
  type SubscribeOptions,
  type SubscriptionInterruption,
} from '../../../contracts/ports/event-store';
import { LiveReader, MAX_EVENTS } from './live-reader';

/**
 * The same event store, of which the subscribers of a process that have caught up share one subscription to the server: each would
 * be sent what the others are, and ask the server how far it is. One that is behind, as at its start or while it is slow, has a
 * subscription of its own until it has caught up.
 *
 * @param maxEvents that are kept for those that are a little behind
 */
export function sharedSubscription(store: EventStore, maxEvents = MAX_EVENTS): EventStore {
  const subscribers = new Set<SubscribeOptions>();
  let reader: LiveReader | null = null;

  const startReader = (after: Position): LiveReader => {
    // One of them reports an interruption of all.
    const onInterrupted = (reason: SubscriptionInterruption): void => {
      const [first] = subscribers;
      first?.onInterrupted?.(reason);
    };
    const started = new LiveReader(store, after, onInterrupted, maxEvents);
    const forget = (): void => {
      if (reader === started) reader = null;
    };
    // Its error is met by the subscribers, which read for themselves then.
    started.run().then(forget, forget);
    return started;
  };
  const isAtHead = (position: Position): Promise<boolean> =>
    store.head().then(
      head => head <= position,
      () => false,
    );

  async function* subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch> {
    const { categories, batchSize = DEFAULT_BATCH_SIZE, signal } = options;
    let position = options.after;
    const share = (): void => (reader ??= startReader(position)).include(categories);
    if (await isAtHead(position)) share();
    while (!signal.aborted) {
      while (reader?.has(position, categories)) {
        const batch = reader.after(position, categories, batchSize);
        if (batch.position === position) await reader.changed(signal);
        else {
          position = batch.position;
          yield batch;
        }
        if (signal.aborted) return;
      }
      let isShared = false;
      for await (const batch of store.subscribe({ ...options, after: position })) {
        position = batch.position;
        yield batch;
        if (batch.events.length < batchSize) share();
        isShared = reader?.has(position, categories) === true;
        if (isShared) break;
      }
      if (!isShared) return;
    }
  }

  return {
    ...store,
    async *subscribe(options) {
      subscribers.add(options);
      try {
        yield* subscribe(options);
      } finally {
        subscribers.delete(options);
        if (subscribers.size === 0) {
          reader?.end();
          reader = null;
        }
      }
    },
  };
}
