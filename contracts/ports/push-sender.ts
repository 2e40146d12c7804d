import type { JsonObject } from '../json/json';

export interface PushMessage {
  /** The push token of the device. */
  readonly to: string;
  readonly title: string;
  readonly body: string;
  readonly data: JsonObject;
  /** A device that is reached later does not show it: milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Messages of one call. */
export const MAX_PUSH_MESSAGES = 100;

/** Why a message does not reach its device. `device_not_registered`: nothing ever will. */
export const PUSH_REJECTIONS = [
  'device_not_registered',
  'message_rate_exceeded',
  'message_too_big',
  'invalid_credentials',
  'other',
] as const;
export type PushRejection = (typeof PUSH_REJECTIONS)[number];

/** What became of a message of a call. */
export type PushOutcome =
  | { readonly type: 'accepted'; readonly ticket: string }
  | { readonly type: 'rejected'; readonly reason: PushRejection; readonly message: string }
  /** The sender has not taken it: it may be sent again. */
  | { readonly type: 'not_sent'; readonly message: string }
  /** There was no answer that says whether it was sent. */
  | { readonly type: 'unknown'; readonly message: string };

/** Whether a message reached the service of the device's maker. */
export type PushReceipt =
  | { readonly type: 'delivered' }
  | { readonly type: 'undelivered'; readonly reason: PushRejection; readonly message: string };

/** Sends notifications to devices. */
export interface PushSender {
  /** Nothing leaves this installation. */
  readonly isOutbox: boolean;
  /**
   * Never repeats what may have been sent. @param messages at most `MAX_PUSH_MESSAGES` @returns in the same order; never
   * rejects
   */
  send(messages: readonly PushMessage[]): Promise<readonly PushOutcome[]>;
  /** By ticket, those that there are. @param tickets at most 300 @throws when they cannot be read now */
  receipts(tickets: readonly string[]): Promise<ReadonlyMap<string, PushReceipt>>;
  close(): Promise<void>;
}
