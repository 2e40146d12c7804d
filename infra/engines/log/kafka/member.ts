import type { ConsumeOptions, LogBatch } from '../../../../contracts/ports/log';
import type { Topic } from './topics';

export interface Member extends Pick<ConsumeOptions, 'batchSize' | 'startAt' | 'signal'> {
  /** As the brokers call it. */
  readonly group: string;
  readonly topics: readonly Topic[];
  /** Milliseconds. */
  readonly session: number;
  handle(batch: LogBatch): Promise<void>;
  /** Called each time that partitions were dealt to it. */
  onJoined(): void;
  /** Of all partitions of a topic, as the port calls it. */
  ends(topic: string): Promise<number[]>;
}

/** How a membership comes to its end. */
export type Ending =
  | { readonly kind: 'stopped' }
  /** The handler, or whoever was asked where to start, threw. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The brokers went away or gave the member up: to be joined anew. */
  | { readonly kind: 'lost'; readonly error: unknown };

/** Milliseconds between two signs of life in a session of so many. */
export function heartbeatOf(session: number): number {
  return session / 10;
}
