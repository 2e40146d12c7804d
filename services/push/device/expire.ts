import { setTimeout as sleep } from 'node:timers/promises';
import { pushDeviceStream } from '../../../contracts/events/push-device';
import { PUSH_DEVICES, type PushDeviceDocument } from '../../../projections/push/devices';
import type { Views } from '../../../projections/views';
import type { Handle } from '../../commands/handle';
import { pushDeviceKind } from './decider';

/** Applications register their device when they start. One that has not for so long may not exist: it is no longer notified. */
export const REGISTRATION_MS = 90 * 86_400_000;

interface ExpireDeps {
  readonly views: Pick<Views, 'scan'>;
  readonly handle: Handle;
  readonly clock: () => Date;
}

const PAGE_SIZE = 200;
const INTERVAL_MS = 3_600_000;

/** Retires the devices that have not registered for long: the stream of each decides. */
export async function expireDevices(
  { views, handle, clock }: ExpireDeps,
  signal: AbortSignal,
): Promise<void> {
  const now = clock();
  const due = {
    filter: { registeredAt: { lte: new Date(now.getTime() - REGISTRATION_MS).toISOString() } },
    order: [['registeredAt', 'desc']] as const,
    limit: PAGE_SIZE,
  };
  const metadata = { now: now.toISOString(), actor: 'push expiry' };
  for await (const page of views.scan<PushDeviceDocument>(PUSH_DEVICES.name, due))
    for (const { _id: deviceId } of page) {
      signal.throwIfAborted();
      const command = { type: 'expire', expireAfterMs: REGISTRATION_MS, metadata } as const;
      await handle(pushDeviceKind, pushDeviceStream(deviceId), command);
    }
}

/** Retires devices from time to time, until the signal. */
export async function keepExpiringDevices(deps: ExpireDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await expireDevices(deps, signal);
    await sleep(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}
