import { MAX_CACHED_ANSWER_BYTES } from '../../projections/engine/query-cache';
import { INCOMPLETE_BODY_LIMITS } from '../../services/http/incomplete-bodies';
import { MAX_WAITING_BYTES } from '../../services/http/request-queue';
import { UNFINISHED_LIMITS } from '../../services/http/unfinished';
import { UNSENT_LIMITS } from '../../services/http/unsent';
import { KIBIBYTE, MEBIBYTE } from '../config/bytes';
import { MAX_WAITING_READS } from '../engines/documents/limits/read-semaphore';
import { DOCUMENT_CACHE_BYTES } from '../engines/documents/sqlite/sqlite-documents';
import { MAX_KEYS, MAX_KEYS_OF_DAY } from '../engines/rate-limits/memory';
import type { FeatureSet } from './feature';
import { WAIT_BYTES, type MemoryUse } from './memory-use';
import { defaultsOf } from './settings/read-config';

/** What the manifests in infra/deploy/kubernetes let a process that callers connect to have. */
export const MEMORY_LIMIT_BYTES = 3_584 * MEBIBYTE;

/** Memory that callers can have a process take, with the defaults of its settings. */
export interface MemoryShare {
  readonly of: string;
  /** How it is bounded, as the page shows it. */
  readonly bound: string;
  /** Rounded up: the sum is that of what the page shows. */
  readonly mebibytes: number;
}

const IMAGES_MEASURED = `An image of 64 MiB of pixels took 94 to 106 MiB while it was decoded as a whole: an interlaced PNG of 8 or 16 bits, a GIF, a
progressive JPEG. Two of 128 MiB at a time, which are refused, took 348. A WebP and a JPEG that is not progressive took 10 to 24.`;

const COUNTERS_MEASURED = `100,000 counters of addresses took 0.69 KiB each.`;

/** What belongs to no functional group. Measured; connections with the two other kinds on top of them, each by its heaviest. */
const SHARED_MEMORY: readonly MemoryUse[] = [
  { of: 'a program at rest, without local networks', bound: '', bytes: 160 * MEBIBYTE },
  { of: 'connections of a process', max: { setting: 'MAX_CONNECTIONS' }, bytesEach: 8 * KIBIBYTE },
  {
    of: 'event streams and WebSockets',
    max: { setting: 'MAX_STREAMS' },
    bytesEach: 40 * KIBIBYTE,
    besideConnection: true,
  },
  {
    of: 'reads that wait for `X-Min-Position`',
    max: { setting: 'MAX_POSITION_READS' },
    bytesEach: WAIT_BYTES,
    besideConnection: true,
  },
  {
    of: 'reads that wait for data that is not known yet',
    max: { setting: 'MAX_WAITING_READS' },
    bytesEach: WAIT_BYTES,
    besideConnection: true,
  },
  { of: 'request heads that are not complete yet', bound: 'in all', bytes: UNFINISHED_LIMITS.total },
  { of: 'requests that wait until they are begun', bound: 'in all', bytes: MAX_WAITING_BYTES },
  { of: 'request bodies that are not complete yet', bound: 'in all', bytes: INCOMPLETE_BODY_LIMITS.total },
  {
    of: 'images of strangers that are decoded',
    bound: 'one with up to 64 MiB of pixels, or two with up to 16, and one with up to 4',
    bytes: 118 * MEBIBYTE,
    measured: IMAGES_MEASURED,
  },
  { of: 'answers that callers have not read yet', bound: 'in all', bytes: UNSENT_LIMITS.total },
  {
    of: 'cached answers that are computed from documents, and documents of SQLite',
    bound: 'in all',
    bytes: MAX_CACHED_ANSWER_BYTES + DOCUMENT_CACHE_BYTES,
  },
  {
    of: 'reads that wait for MongoDB',
    max: MAX_WAITING_READS,
    bytesEach: WAIT_BYTES,
    besideConnection: true,
  },
];

const COUNTER_BYTES = 0.75 * KIBIBYTE;

/** Of a process without Redis, or while that does not answer. */
const countersOf = ({ quotas }: FeatureSet): MemoryUse => ({
  of: 'counters of quotas, each of one address or key',
  max: MAX_KEYS + MAX_KEYS_OF_DAY * quotas.filter(({ perDay }) => perDay !== undefined).length,
  bytesEach: COUNTER_BYTES,
  measured: COUNTERS_MEASURED,
});

/** The largest parts of the memory of a process whose bounds are all reached. */
export function memoryShares(features: FeatureSet): readonly MemoryShare[] {
  const defaultOf = defaultsOf(features);
  return memoryUsesOf(features).map(use => shareOf(use, setting => defaultOf(setting) as number));
}

/** How the memory of the groups was measured. */
export function memoryMeasurements(features: FeatureSet): readonly string[] {
  return memoryUsesOf(features).flatMap(({ measured }) => measured ?? []);
}

/** In mebibytes. */
export function memoryOf(shares: readonly MemoryShare[]): number {
  return shares.reduce((sum, { mebibytes }) => sum + mebibytes, 0);
}

const inMebibytes = (bytes: number): number => Math.ceil(bytes / MEBIBYTE);

const memoryUsesOf = (features: FeatureSet): readonly MemoryUse[] => [
  ...SHARED_MEMORY,
  countersOf(features),
  ...features.all.flatMap(({ memory = [] }) => memory),
];

function shareOf(use: MemoryUse, byDefault: (setting: string) => number): MemoryShare {
  if ('bound' in use) return { of: use.of, bound: use.bound, mebibytes: inMebibytes(use.bytes) };
  const { of, max, bytesEach, besideConnection = false } = use;
  const [count, shown] =
    typeof max === 'number'
      ? [max, max.toLocaleString('en')]
      : [byDefault(max.setting), `\`${max.setting}\``];
  const each = bytesEach < MEBIBYTE ? `${bytesEach / KIBIBYTE} KiB` : `${bytesEach / MEBIBYTE} MiB`;
  const beside = besideConnection ? ' beside its connection' : '';
  return { of, bound: `${shown}, ${each}${beside} each`, mebibytes: inMebibytes(count * bytesEach) };
}
