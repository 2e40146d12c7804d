import { pushCommands } from './push/commands';
import { pushMetrics } from './push/metrics';
import { PUSH_CHANGES, PUSH_REGISTRATIONS } from '../../../contracts/http/push';
import { z } from 'zod';
import type { Bound } from '../../../contracts/bound';
import { MAX_DEVICES } from '../../../projections/push/followers';
import type { PushSender } from '../../../contracts/ports/push-sender';
import { solanaDecoder } from '../../../indexers/solana/decode/decode';
import { PUSH_DEVICES, pushDevicesProjection } from '../../../projections/push/devices';
import { incomingTransactions, orderStatuses, walletRequests } from '../../../services/push/causes/reactions';
import { workCauses } from '../../../services/push/causes/worker';
import { keepExpiringDevices } from '../../../services/push/device/expire';
import { PUSH_DEVICE_RETENTION } from '../../../services/push/device/retention';
import { MAX_PER_HOUR } from '../../../services/push/hour/decider';
import { PUSH_HOUR_RETENTION } from '../../../services/push/hour/retention';
import { workSummaries } from '../../../services/push/hour/summary';
import { workReceipts } from '../../../services/push/notification/receipts';
import { PUSH_NOTIFICATION_RETENTION } from '../../../services/push/notification/retention';
import { workNotifications } from '../../../services/push/notification/worker';
import { pushRoutes } from '../../../services/push/routes';
import { createWalletKeys } from '../../../services/signing/wallet-key';
import { personalTexts } from '../personal-texts';
import { createOutbox } from '../../engines/push-sender/outbox';
import type { Feature, Resource, Worker } from '../feature';
import { watchOf } from './watch/account-watch';
import { jobHandlers } from '../roles/jobs';
import { callerSource } from '../requests/caller-source';
import { rateLimits } from '../requests/rate-limits';
import { count, securedUrl } from '../../config/settings';
import { contractReader } from './ton-contracts';

const settings = {
  PUSH_PROVIDER: z.enum(['outbox', 'expo']).default('outbox'),
  EXPO_URL: securedUrl.default('https://exp.host'),
  EXPO_ACCESS_TOKEN: z.string().min(1).optional(),
  MAX_PUSH_DEVICES: count.default(1_000_000),
};
/** Sends notifications to devices, or nowhere. */
const pushSender: Resource<PushSender> = {
  async open({ config, metrics, clock }) {
    const { PUSH_PROVIDER, EXPO_URL: url, EXPO_ACCESS_TOKEN: accessToken } = config.of(settings);
    if (PUSH_PROVIDER === 'outbox') return createOutbox();
    const { openExpo } = await import('../../engines/push-sender/expo.js');
    return openExpo({
      url,
      accessToken,
      clock,
      onRequest: ({ method, outcome, seconds }) =>
        metrics.of(pushMetrics).requests.observe({ method, outcome }, seconds),
    });
  },
  close: sender => sender.close(),
};

const sending = jobHandlers('push', deps => {
  const { engine, engines, handle, clock, logger, metrics } = deps;
  const { views } = engine;
  const { jobs } = engines;
  const sender = () => deps.use(pushSender);
  return [
    signal => workCauses({ views, store: engines.store, jobs }, signal),
    signal => keepExpiringDevices({ views, handle, clock }, signal),
    signal => workSummaries({ store: engines.store, jobs }, signal),
    async signal =>
      workNotifications(
        {
          views,
          handle,
          jobs,
          sender,
          clock,
          logger,
          texts: await deps.use(personalTexts),
          onOutcome: outcome => metrics.of(pushMetrics).notifications.inc({ outcome }),
        },
        signal,
      ),
    signal =>
      workReceipts(
        {
          handle,
          jobs,
          sender,
          clock,
          onReceipt: outcome => metrics.of(pushMetrics).receipts.inc({ outcome }),
        },
        signal,
      ),
  ];
});

const bounds: readonly Bound[] = [
  {
    of: 'devices that are notified of an account',
    owner: 'the wallet of the account',
    max: `${MAX_DEVICES} devices`,
    share: 'a quarter, and all of it with a proof of the wallet',
    beyond: 'not notified: who came first stays',
    note: 'Devices that the wallet has proven to be its own come first; a quarter of what they leave is the share of any other caller. A new device gets the place of one that has not registered for 30 days, or the last one of a caller over its share.',
    attack: {
      file: 'test/push/devices.test.ts',
      test: 'a device that its wallet has proven to be its own is notified beside any number of others that came first',
    },
  },
  {
    of: 'registered devices',
    owner: 'devices that are registered',
    max: '`MAX_PUSH_DEVICES`',
    share: 'in a day, a quarter of what the others leave',
    beyond: '429 `rate_limited` for a device that is not registered',
    note: 'A device that has not registered again for 90 days is forgotten.',
    attack: {
      file: 'test/push/stored.test.ts',
      test: 'strangers leave a bounded number of devices, and none keeps an honest one from being registered',
    },
  },
  {
    of: 'notifications of one kind that a device gets',
    owner: 'the device',
    max: `${MAX_PER_HOUR} an hour`,
    share: 'all of it: a notification does not say who has caused it',
    beyond: 'one notification at the end of the hour says how many more there were',
    attack: {
      file: 'test/push/hourly.test.ts',
      test: '%s are ten notifications, and one that says how many more',
    },
  },
];

/** Notifications of devices. What a job engine that has lost its jobs had not sent is not sent: it would be late. */
export const push: Feature = {
  name: 'push',
  commands: pushCommands,
  settings,
  renamedSettings: { PUSH_SENDER: 'PUSH_PROVIDER' },
  quotas: [PUSH_REGISTRATIONS, PUSH_CHANGES],
  bounds,
  retentions: [PUSH_DEVICE_RETENTION, PUSH_NOTIFICATION_RETENTION, PUSH_HOUR_RETENTION],
  metrics: pushMetrics,
  projections: [pushDevicesProjection],
  routes: async deps => {
    const { engine, engines, handle, networks, readWait, clock, use } = deps;
    const { followed } = networks;
    return pushRoutes({
      views: engine.views,
      texts: await use(personalTexts),
      handle,
      followed,
      clock,
      store: engines.store,
      limits: () => use(rateLimits),
      watch: watchOf({ use }),
      findKey: createWalletKeys(contractReader(deps), followed),
      sourceOf: await use(callerSource),
      maxDevices: deps.config.of(settings).MAX_PUSH_DEVICES,
      waitMs: readWait.waitMs,
    });
  },
  reactions: ({ engine, engines: { store } }) => [
    incomingTransactions({
      views: () => engine!.views,
      store,
      decode: solanaDecoder.decode,
      clock: () => new Date(),
    }),
    orderStatuses(store),
    walletRequests,
  ],
  workers: [
    {
      ...sending,
      start: async deps => ({
        ...(await sending.start(deps)),
        refresh: async () =>
          deps.metrics.of(pushMetrics).devices.set(await deps.engine.views.count(PUSH_DEVICES.name)),
      }),
    } satisfies Worker,
  ],
};
