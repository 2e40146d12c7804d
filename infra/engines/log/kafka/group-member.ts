import type { ConsumeOptions, LogBatch } from '../../../../contracts/ports/log';
import type { Topic } from './topics';

export interface GroupMember extends Pick<ConsumeOptions, 'batchSize' | 'startAt' | 'signal'> {
  /** With the prefix, as known to the brokers. */
  readonly group: string;
  readonly topics: readonly Topic[];
  readonly sessionTimeoutMs: number;
  handle(batch: LogBatch): Promise<void>;
  /** Called after each assignment of partitions. */
  onJoined(): void;
  /** Of all partitions of a topic, by its name without the prefix. */
  endOffsets(topic: string): Promise<number[]>;
}

/** How a membership ended. */
export type MembershipEnd =
  | { readonly kind: 'stopped' }
  /** The handler or `startAt` threw. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The connection was lost or the brokers removed the member: it should join again. */
  | { readonly kind: 'lost'; readonly error: unknown };

export function heartbeatIntervalMs(sessionTimeoutMs: number): number {
  return sessionTimeoutMs / 10;
}
