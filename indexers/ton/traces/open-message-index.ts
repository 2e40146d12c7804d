import { messageOf, openMessages, type OpenMessage } from './open-trace';
import type { FollowedTrace } from './documents';

/** A message that a trace waits for. */
export interface Awaited extends OpenMessage {
  readonly trace: FollowedTrace;
}

/** The open messages of all traces, by receiver and hash. */
export interface OpenMessageIndex {
  readonly size: number;
  readonly receivers: Iterable<string>;
  has(account: string): boolean;
  /** What waits for messages to the account. */
  of(account: string): readonly Awaited[];
  add(messages: readonly OpenMessage[]): void;
  /** Removes and returns what waits for a message. */
  take(account: string, hash: string): readonly Awaited[];
  /** Removes what a trace waits for. */
  remove(trace: FollowedTrace): void;
}

export function openMessageIndex(): OpenMessageIndex {
  const byReceiver = new Map<string, Map<string, Awaited[]>>();
  let size = 0;

  function store(account: string, hash: string, awaited: Awaited[]): void {
    const messages = byReceiver.get(account) ?? new Map<string, Awaited[]>();
    if (awaited.length > 0) byReceiver.set(account, messages.set(hash, awaited));
    else if (messages.delete(hash) && messages.size === 0) byReceiver.delete(account);
  }

  return {
    get size() {
      return size;
    },
    receivers: { [Symbol.iterator]: () => byReceiver.keys() },
    has: account => byReceiver.has(account),
    of: account => [...(byReceiver.get(account)?.values() ?? [])].flat(),
    add(messages) {
      for (const message of messages as readonly Awaited[]) {
        const { dest, hash } = messageOf(message);
        store(dest, hash, [...(byReceiver.get(dest)?.get(hash) ?? []), message]);
        size++;
      }
    },
    take(account, hash) {
      const awaited = byReceiver.get(account)?.get(hash) ?? [];
      if (awaited.length > 0) store(account, hash, []);
      size -= awaited.length;
      return awaited;
    },
    remove(trace) {
      for (const message of openMessages(trace)) {
        const { dest, hash } = messageOf(message);
        const awaited = byReceiver.get(dest)?.get(hash) ?? [];
        const others = awaited.filter(other => other.trace !== trace);
        store(dest, hash, others);
        size -= awaited.length - others.length;
      }
    },
  };
}
