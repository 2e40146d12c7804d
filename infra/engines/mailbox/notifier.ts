import { createSignal, type Signal } from './signal';

/** The subscribers of this process, by recipient. */
export interface Notifier {
  notify(recipient: string): void;
  notifyAll(): void;
  /** A signal that is notified for any of the recipients. */
  subscribe(recipients: readonly string[]): Signal;
  hasSubscribers(recipient: string): boolean;
  /** Closes all signals, including future ones. */
  close(): void;
}

/** @param onUnsubscribe called with the recipients of a signal that was closed */
export function createNotifier(onUnsubscribe: (recipients: readonly string[]) => void): Notifier {
  const byRecipient = new Map<string, Set<Signal>>();
  const all = new Set<Signal>();
  let closed = false;

  const remove = (signal: Signal, recipients: readonly string[]): void => {
    all.delete(signal);
    for (const recipient of recipients) {
      const signals = byRecipient.get(recipient);
      signals?.delete(signal);
      if (signals?.size === 0) byRecipient.delete(recipient);
    }
    onUnsubscribe(recipients);
  };

  return {
    notify: recipient => byRecipient.get(recipient)?.forEach(signal => signal.notify()),
    notifyAll: () => all.forEach(signal => signal.notify()),
    subscribe: recipients => {
      const signal = createSignal(() => remove(signal, recipients));
      all.add(signal);
      for (const recipient of recipients)
        byRecipient.set(recipient, (byRecipient.get(recipient) ?? new Set()).add(signal));
      if (closed) signal.close();
      return signal;
    },
    hasSubscribers: recipient => byRecipient.has(recipient),
    close: () => {
      closed = true;
      for (const signal of [...all]) signal.close();
    },
  };
}
