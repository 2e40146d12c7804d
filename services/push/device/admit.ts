import { hasShareLeft } from '../../../contracts/bound';
import { Problem } from '../../../contracts/problem/problem';
import { countPushDevices, findPushDevices } from '../../../projections/push/devices';
import type { Views } from '../../../projections/views';

export interface AdmitDeps {
  readonly views: Pick<Views, 'count' | 'getMany'>;
  /** Devices that may be registered; 0 is no limit. */
  readonly maxDevices: number;
}

const RETRY_AFTER_SECONDS = 3_600;

/**
 * Whether a device that is not registered may be: each leaves events for months, and anybody can make up any number of tokens. A
 * source adds at most a quarter of what the others leave in a day, so that no number of devices of one source, and of few, takes
 * all.
 * @throws Problem 429 `rate_limited`
 */
export async function admitDevice(
  { views, maxDevices }: AdmitDeps,
  deviceId: string,
  source: string,
): Promise<void> {
  if (maxDevices === 0 || (await findPushDevices(views, [deviceId])).size > 0) return;
  const [all, own] = await Promise.all([countPushDevices(views), countPushDevices(views, source)]);
  if (hasShareLeft(maxDevices, all, own)) return;
  throw new Problem(
    'rate_limited',
    'Too many devices are registered from this network, or in all; those that have not registered for long are forgotten.',
    { retryAfter: RETRY_AFTER_SECONDS },
  );
}
