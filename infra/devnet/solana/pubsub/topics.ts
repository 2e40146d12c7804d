/** A subscription of one connection. */
export interface Subscription<Detail> {
  readonly id: number;
  readonly detail: Detail;
}

/** Subscriptions by topic, such as an address, so that an event costs only its subscribers. */
export interface Topics<Detail> {
  readonly size: number;
  add(key: string, detail: Detail): Subscription<Detail>;
  /** A copy: subscriptions may be removed while they are notified. */
  subscribersOf(key: string): Subscription<Detail>[];
  remove(id: number): boolean;
}

export function createTopics<Detail>(nextId: () => number): Topics<Detail> {
  const byKey = new Map<string, Map<number, Subscription<Detail>>>();
  const keys = new Map<number, string>();
  return {
    get size() {
      return keys.size;
    },
    add: (key, detail) => {
      const subscription = { id: nextId(), detail };
      const group = byKey.get(key) ?? new Map<number, Subscription<Detail>>();
      byKey.set(key, group.set(subscription.id, subscription));
      keys.set(subscription.id, key);
      return subscription;
    },
    subscribersOf: key => [...(byKey.get(key)?.values() ?? [])],
    remove: id => {
      const key = keys.get(id);
      if (key === undefined) return false;
      keys.delete(id);
      const group = byKey.get(key)!;
      group.delete(id);
      if (group.size === 0) byKey.delete(key);
      return true;
    },
  };
}
