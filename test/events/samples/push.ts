import type { Samples } from '../sample';

const at = '2026-11-23T12:00:00.000Z';
const [deviceId, account] = ['0123456789abcdef0123456789abcdef', 'fedcba9876543210fedcba9876543210'];
const text = { subject: `push:${deviceId}`, ciphertext: 'v1.AAAAAAAAAAAAAAAA.AAAA' };
const attempt = { notificationId: '00112233445566778899aabbccddeeff', attempt: 1, at };

export const PUSH_DEVICE_SAMPLES: Samples = {
  PushDeviceRegistered: [
    {
      v: 1,
      data: {
        deviceId,
        contact: text,
        digest: 'ab'.repeat(32),
        accounts: [{ id: account, since: at, isAdded: true }],
        dropped: [],
        at,
      },
      latest: {
        deviceId,
        contact: text,
        digest: 'ab'.repeat(32),
        accounts: [{ id: account, since: at, isAdded: true, isProven: false, source: null }],
        dropped: [],
        source: null,
        at,
      },
    },
    {
      v: 1,
      data: { deviceId, contact: text, digest: 'ab'.repeat(32), accounts: [], dropped: [account], at },
      latest: {
        deviceId,
        contact: text,
        digest: 'ab'.repeat(32),
        accounts: [],
        dropped: [account],
        source: null,
        at,
      },
    },
    {
      v: 2,
      data: {
        deviceId,
        contact: text,
        digest: 'ab'.repeat(32),
        accounts: [{ id: account, since: at, isAdded: true, isProven: true }],
        dropped: [],
        source: '0123456789abcdef',
        at,
      },
      latest: {
        deviceId,
        contact: text,
        digest: 'ab'.repeat(32),
        accounts: [{ id: account, since: at, isAdded: true, isProven: true, source: '0123456789abcdef' }],
        dropped: [],
        source: '0123456789abcdef',
        at,
      },
    },
    {
      v: 3,
      data: {
        deviceId,
        contact: text,
        digest: 'ab'.repeat(32),
        accounts: [{ id: account, since: at, isAdded: true, isProven: true, source: 'fedcba9876543210' }],
        dropped: [],
        source: '0123456789abcdef',
        at,
      },
    },
  ],
  PushDeviceRetired: [
    { v: 1, data: { deviceId, reason: 'not_registered', dropped: [account], at, by: 'push receipts' } },
    { v: 1, data: { deviceId, reason: 'operator', dropped: [], at, by: 'cli:ann' } },
    { v: 2, data: { deviceId, reason: 'expired', dropped: [account], at, by: 'push expiry' } },
  ],
};

export const PUSH_NOTIFICATION_SAMPLES: Samples = {
  PushNotificationClaimed: [
    ...['incoming_transaction', 'order_status', 'wallet_request'].map(kind => ({
      v: 1,
      data: { ...attempt, deviceId, kind, content: text },
    })),
    { v: 2, data: { ...attempt, deviceId, kind: 'summary', content: text } },
    ...['staking_round', 'staking_withdrawal'].map(kind => ({
      v: 3,
      data: { ...attempt, deviceId, kind, content: text },
    })),
    { v: 4, data: { ...attempt, deviceId, kind: 'card_event', content: text } },
  ],
  PushNotificationAccepted: [{ v: 1, data: { ...attempt, ticket: 'XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX' } }],
  PushNotificationRejected: [
    { v: 1, data: { ...attempt, reason: 'device_not_registered', message: '[token] is not registered' } },
  ],
  PushNotificationDeferred: [{ v: 1, data: { ...attempt, retryAt: at, message: 'too many requests' } }],
  PushNotificationOutcomeUnknown: [{ v: 1, data: attempt }],
  PushNotificationUndelivered: [{ v: 1, data: { ...attempt, reason: 'other', message: 'why' } }],
};

export const PUSH_HOUR_SAMPLES: Samples = {
  PushNotificationsCounted: [
    {
      v: 1,
      data: {
        deviceId,
        kind: 'wallet_request',
        hour: '2026-11-23T12:00:00.000Z',
        at,
        notificationIds: [attempt.notificationId],
      },
    },
    {
      v: 2,
      data: {
        deviceId,
        kind: 'staking_round',
        hour: '2026-11-23T12:00:00.000Z',
        at,
        notificationIds: [attempt.notificationId],
      },
    },
    {
      v: 3,
      data: {
        deviceId,
        kind: 'card_event',
        hour: '2026-11-23T12:00:00.000Z',
        at,
        notificationIds: [attempt.notificationId],
      },
    },
  ],
};
