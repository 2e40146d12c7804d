import { z } from 'zod';
import { UNFINISHED_LIMITS } from '../../services/http/unfinished';
import { UNSENT_LIMITS } from '../../services/http/unsent';
import { KIBIBYTE, MEBIBYTE } from '../config/bytes';
import type { FeatureSet } from './feature';
import { WAIT_BYTES, type MemoryUse } from './memory-use';
import { settingsOf } from './settings/read-config';

/** What the manifests in infra/deploy/kubernetes let a process that callers connect to have. */
export const MEMORY_LIMIT_BYTES = 2_048 * MEBIBYTE;

/** Memory that callers can have a process take, with the defaults of its settings. */
export interface MemoryShare {
  readonly of: string;
  /** How it is bounded, as the page shows it. */
  readonly bound: string;
  readonly bytes: number;
}

/** What belongs to no functional group. Measured; connections with the two other kinds on top of them, each by its heaviest. */
const SHARED_MEMORY: readonly MemoryUse[] = [
  { of: 'a program at rest, without local networks', bound: '', bytes: 160 * MEBIBYTE },
  { of: 'connections of a process', max: { setting: 'MAX_CONNECTIONS' }, bytesEach: 8 * KIBIBYTE },
  {
    of: 'event streams and WebSockets',
    max: { setting: 'MAX_STREAMS' },
    bytesEach: 46 * KIBIBYTE,
    besideConnection: true,
  },
  ...['MAX_POSITION_READS', 'MAX_WAITING_READS'].map(setting => ({
    of: 'calls that wait',
    max: { setting },
    bytesEach: WAIT_BYTES,
    besideConnection: true,
  })),
  { of: 'heads that are not complete', bound: 'in all', bytes: UNFINISHED_LIMITS.total },
  { of: 'what callers have not read yet', bound: 'in all', bytes: UNSENT_LIMITS.total },
];

/** The largest parts of the memory of a process whose bounds are all reached. */
export function memoryShares(features: FeatureSet): readonly MemoryShare[] {
  const settings: Readonly<Record<string, z.core.$ZodType>> = settingsOf(features);
  const byDefault = (setting: string): number => z.parse(settings[setting]!, undefined) as number;
  return memoryUsesOf(features).map(use => shareOf(use, byDefault));
}

/** How the memory of the groups was measured. */
export function memoryMeasurements(features: FeatureSet): readonly string[] {
  return memoryUsesOf(features).flatMap(({ measured }) => measured ?? []);
}

export function memoryOf(shares: readonly MemoryShare[]): number {
  return shares.reduce((sum, { bytes }) => sum + bytes, 0);
}

const memoryUsesOf = ({ all }: FeatureSet): readonly MemoryUse[] => [
  ...SHARED_MEMORY,
  ...all.flatMap(({ memory = [] }) => memory),
];

function shareOf(use: MemoryUse, byDefault: (setting: string) => number): MemoryShare {
  if ('bound' in use) return use;
  const { of, max, bytesEach, besideConnection = false } = use;
  const [count, name] =
    typeof max === 'number' ? [max, ''] : [byDefault(max.setting), ` (\`${max.setting}\`)`];
  const each = bytesEach < MEBIBYTE ? `${bytesEach / KIBIBYTE} KiB` : `${bytesEach / MEBIBYTE} MiB`;
  const beside = besideConnection ? ' beside its connection' : '';
  return {
    of,
    bound: `${count.toLocaleString('en')}${name}, ${each}${beside} each`,
    bytes: count * bytesEach,
  };
}
