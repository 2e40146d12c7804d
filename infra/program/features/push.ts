import { solanaDecoder } from '../../../indexers/solana/decode/decode';
import { PUSH_DEVICES, pushDevicesProjection } from '../../../projections/push/devices';
import { incomingTransactions, orderStatuses, walletRequests } from '../../../services/push/causes/reactions';
import { workCauses } from '../../../services/push/causes/worker';
import { workReceipts } from '../../../services/push/notification/receipts';
import { workNotifications } from '../../../services/push/notification/worker';
import { pushRoutes } from '../../../services/push/routes';
import { pushCommand } from '../../cli/push';
import { personalTexts, type ErasureConfig } from '../erasure';
import type { Feature, Worker } from '../feature';
import { PUSH_SETTINGS, pushSender, type PushConfig } from '../push';
import { READ_WAIT_MS } from '../read-wait';
import { jobHandlers } from '../roles/jobs';

type FeatureConfig = PushConfig & ErasureConfig;

const sending = jobHandlers<FeatureConfig>('push', deps => {
  const { engine, engines, handle, clock, logger, metrics } = deps;
  const { views } = engine;
  const { jobs } = engines;
  const sender = () => deps.use(pushSender);
  return [
    signal => workCauses({ views, jobs }, signal),
    async signal =>
      workNotifications(
        {
          ...{ views, handle, jobs, sender, clock, logger },
          texts: await deps.use(personalTexts),
          onOutcome: outcome => metrics.pushNotifications.inc({ outcome }),
        },
        signal,
      ),
    signal =>
      workReceipts(
        { handle, jobs, sender, clock, onReceipt: outcome => metrics.pushReceipts.inc({ outcome }) },
        signal,
      ),
  ];
});

/**
 * Notifications of devices. What a job engine that has lost its jobs had not sent is not sent: it would be late.
 */
export const push: Feature<FeatureConfig> = {
  name: 'push',
  settings: PUSH_SETTINGS,
  projections: [pushDevicesProjection],
  routes: async ({ engine, handle, watch, clock, use }) =>
    pushRoutes({
      views: engine.views,
      texts: await use(personalTexts),
      ...{ handle, watch, clock },
      waitMs: READ_WAIT_MS,
    }),
  reactions: ({ engine, engines: { store } }) => [
    incomingTransactions({
      views: () => engine!.views,
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
        refresh: async () => deps.metrics.pushDevices.set(await deps.engine.views.count(PUSH_DEVICES.name)),
      }),
    } satisfies Worker<FeatureConfig>,
  ],
  commands: [pushCommand],
};
