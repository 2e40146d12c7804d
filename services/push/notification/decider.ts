import type { CommandMetadata } from '../../../contracts/decider';
import {
  pushNotificationEvents,
  type PushNotificationEvent,
} from '../../../contracts/events/push-notification';
import type { PushOutcome, PushReceipt } from '../../../contracts/ports/push-sender';
import type { StreamKind } from '../../commands/stream-kind';

type Claimed = Extract<PushNotificationEvent, { type: 'PushNotificationClaimed' }>['data'];

/** How far a notification is on its way. `since` and `retryAt` are RFC 3339 UTC instants, attempts count from 1. */
export type PushNotification =
  /** The sender is being called, or a process has crashed doing so. */
  | { readonly step: 'claimed'; readonly attempt: number; readonly since: string }
  | { readonly step: 'deferred'; readonly attempt: number; readonly retryAt: string }
  | { readonly step: 'accepted'; readonly attempt: number; readonly ticket: string }
  | { readonly step: 'rejected' | 'outcome_unknown' | 'undelivered'; readonly attempt: number };

export type PushNotificationCommand = {
  readonly notificationId: string;
  readonly metadata: CommandMetadata;
} &
  /** The worker that appends the claim calls the sender; no other does. */
  (
    | ({ readonly type: 'claim' } & Pick<Claimed, 'deviceId' | 'kind' | 'content'>)
    | { readonly type: 'recordOutcome'; readonly outcome: PushOutcome; readonly retryAt: string }
    | { readonly type: 'recordReceipt'; readonly receipt: PushReceipt }
  );

/** The sender has answered by then, or the worker has crashed. */
export const CALL_LOST_MS = 60_000;

/**
 * A notification is sent at most once: the claim is durable before the call, and only what the sender says it has not taken is
 * claimed again. A worker that crashes between the two loses it; a notification that comes twice is worse for its user.
 */
export const pushNotificationKind: StreamKind<
  PushNotification | null,
  PushNotificationCommand,
  PushNotificationEvent
> = {
  events: pushNotificationEvents,
  decider: {
    initial: () => null,
    evolve(_state, { type, data }) {
      const { attempt } = data;
      switch (type) {
        case 'PushNotificationClaimed':
          return { step: 'claimed', attempt, since: data.at };
        case 'PushNotificationDeferred':
          return { step: 'deferred', attempt, retryAt: data.retryAt };
        case 'PushNotificationAccepted':
          return { step: 'accepted', attempt, ticket: data.ticket };
        case 'PushNotificationRejected':
          return { step: 'rejected', attempt };
        case 'PushNotificationOutcomeUnknown':
          return { step: 'outcome_unknown', attempt };
        case 'PushNotificationUndelivered':
          return { step: 'undelivered', attempt };
      }
    },
    decide(state, command) {
      if (command.type === 'claim') return claim(state, command);
      if (command.type === 'recordOutcome')
        return state?.step === 'claimed' ? [outcomeOf(state.attempt, command)] : [];
      const { notificationId, receipt, metadata } = command;
      if (state?.step !== 'accepted' || receipt.type === 'delivered') return [];
      const { reason, message } = receipt;
      const data = { notificationId, attempt: state.attempt, reason, message, at: metadata.now };
      return [{ type: 'PushNotificationUndelivered', data }];
    },
  },
};

function claim(
  state: PushNotification | null,
  {
    notificationId,
    deviceId,
    kind,
    content,
    metadata: { now: at },
  }: PushNotificationCommand & { type: 'claim' },
): readonly PushNotificationEvent[] {
  if (state?.step === 'claimed') {
    const isLost = Date.parse(at) - Date.parse(state.since) >= CALL_LOST_MS;
    const data = { notificationId, attempt: state.attempt, at };
    return isLost ? [{ type: 'PushNotificationOutcomeUnknown', data }] : [];
  }
  if (state && (state.step !== 'deferred' || at < state.retryAt)) return [];
  const attempt = (state?.attempt ?? 0) + 1;
  return [
    { type: 'PushNotificationClaimed', data: { notificationId, attempt, deviceId, kind, content, at } },
  ];
}

function outcomeOf(
  attempt: number,
  {
    notificationId,
    outcome,
    retryAt,
    metadata: { now: at },
  }: PushNotificationCommand & { type: 'recordOutcome' },
): PushNotificationEvent {
  const shared = { notificationId, attempt, at };
  switch (outcome.type) {
    case 'accepted':
      return { type: 'PushNotificationAccepted', data: { ...shared, ticket: outcome.ticket } };
    case 'unknown':
      return { type: 'PushNotificationOutcomeUnknown', data: shared };
    case 'not_sent':
      return { type: 'PushNotificationDeferred', data: { ...shared, retryAt, message: outcome.message } };
    case 'rejected': {
      const { reason, message } = outcome;
      // Expo asks to send fewer to the device for a while.
      if (reason === 'message_rate_exceeded')
        return { type: 'PushNotificationDeferred', data: { ...shared, retryAt, message } };
      return { type: 'PushNotificationRejected', data: { ...shared, reason, message } };
    }
  }
}
