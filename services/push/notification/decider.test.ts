import type { PushNotificationEvent } from '../../../contracts/events/push-notification';
import type { PushOutcome } from '../../../contracts/ports/push-sender';
import { CALL_LOST_MS, pushNotificationKind, type PushNotificationCommand } from './decider';

const { initial, evolve, decide } = pushNotificationKind.decider;

const notificationId = 'n1';
const at = (seconds: number): string => new Date(Date.UTC(2026, 2, 1) + seconds * 1_000).toISOString();
const metadata = (seconds: number) => ({ now: at(seconds), actor: 'push' });
const content = { subject: 'push:d1', ciphertext: 'v1.k.x' };
const LOST = CALL_LOST_MS / 1_000;

const claim = (seconds: number): PushNotificationCommand => ({
  type: 'claim',
  notificationId,
  deviceId: 'd1',
  kind: 'wallet_request',
  content,
  metadata: metadata(seconds),
});
const outcome = (seconds: number, outcome: PushOutcome): PushNotificationCommand => ({
  type: 'recordOutcome',
  notificationId,
  outcome,
  retryAt: at(seconds + 5),
  metadata: metadata(seconds),
});
const receipt = (seconds: number, type: 'delivered' | 'undelivered'): PushNotificationCommand => ({
  type: 'recordReceipt',
  notificationId,
  receipt: type === 'delivered' ? { type } : { type, reason: 'other', message: 'why' },
  metadata: metadata(seconds),
});

const of = (seconds: number, attempt: number) => ({ notificationId, attempt, at: at(seconds) });
const claimed = (seconds: number, attempt = 1): PushNotificationEvent => ({
  type: 'PushNotificationClaimed',
  data: { ...of(seconds, attempt), deviceId: 'd1', kind: 'wallet_request', content },
});
const accepted: PushNotificationEvent = {
  type: 'PushNotificationAccepted',
  data: { ...of(1, 1), ticket: 't' },
};
const deferred: PushNotificationEvent = {
  type: 'PushNotificationDeferred',
  data: { ...of(1, 1), retryAt: at(6), message: 'why' },
};
const rejected: PushNotificationEvent = {
  type: 'PushNotificationRejected',
  data: { ...of(1, 1), reason: 'device_not_registered', message: 'why' },
};
const unknown = (seconds: number): PushNotificationEvent => ({
  type: 'PushNotificationOutcomeUnknown',
  data: of(seconds, 1),
});
const undelivered: PushNotificationEvent = {
  type: 'PushNotificationUndelivered',
  data: { ...of(9, 1), reason: 'other', message: 'why' },
};

it.each<[string, PushNotificationEvent[], PushNotificationCommand, PushNotificationEvent[]]>([
  ['is claimed first', [], claim(0), [claimed(0)]],
  ['is not claimed by another', [claimed(0)], claim(LOST - 1), []],
  ['of a worker that has died is not sent again', [claimed(0)], claim(LOST), [unknown(LOST)]],
  ['that was accepted', [claimed(0)], outcome(1, { type: 'accepted', ticket: 't' }), [accepted]],
  [
    'that was rejected',
    [claimed(0)],
    outcome(1, { type: 'rejected', reason: 'device_not_registered', message: 'why' }),
    [rejected],
  ],
  ['that was not sent', [claimed(0)], outcome(1, { type: 'not_sent', message: 'why' }), [deferred]],
  [
    'of which there were too many',
    [claimed(0)],
    outcome(1, { type: 'rejected', reason: 'message_rate_exceeded', message: 'why' }),
    [deferred],
  ],
  ['whose answer was lost', [claimed(0)], outcome(1, { type: 'unknown', message: 'why' }), [unknown(1)]],
  ['that was not sent waits', [claimed(0), deferred], claim(5), []],
  ['that was not sent is claimed again', [claimed(0), deferred], claim(6), [claimed(6, 2)]],
  ...[accepted, rejected, unknown(1)].map(
    end =>
      [`is not claimed again after ${end.type}`, [claimed(0), end], claim(9_999), []] as [
        string,
        PushNotificationEvent[],
        PushNotificationCommand,
        [],
      ],
  ),
  [
    'that was given up has no outcome',
    [claimed(0), unknown(60)],
    outcome(61, { type: 'accepted', ticket: 't' }),
    [],
  ],
  ['that was delivered', [claimed(0), accepted], receipt(9, 'delivered'), []],
  ['that was not delivered', [claimed(0), accepted], receipt(9, 'undelivered'), [undelivered]],
  ['has one receipt', [claimed(0), accepted, undelivered], receipt(9, 'undelivered'), []],
])('a notification %s', (_what, events, command, expected) => {
  expect(decide(events.reduce(evolve, initial()), command)).toEqual(expected);
});
