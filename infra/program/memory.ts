import { KIBIBYTE, MEBIBYTE } from '../config/bytes';
import { z } from 'zod';
import { UNFINISHED_LIMITS } from '../../services/http/unfinished';
import { UNSENT_LIMITS } from '../../services/http/unsent';
import { CORE_SETTINGS } from '../config/settings';
import { MAX_CLIENTS } from '../engines/connection-origins/memory';
import type { FeatureSet } from './feature';

/** What the manifests in infra/deploy/kubernetes let a process that callers connect to have. */
export const MEMORY_LIMIT_BYTES = 2_048 * MEBIBYTE;

/** Memory that callers can have a process take, with the defaults of its settings. */
export interface MemoryShare {
  readonly of: string;
  /** How it is bounded, as the page shows it. */
  readonly bound: string;
  readonly bytes: number;
}

/** Measured; those of connections with the two other kinds on top of them, each by its heaviest. */
const AT_REST_BYTES = 160 * MEBIBYTE;
const CONNECTION_BYTES = 8 * KIBIBYTE;
const STREAM_BYTES = 46 * KIBIBYTE;
const WAIT_BYTES = 10 * KIBIBYTE;
/** Of a client of the bridge with all pages and addresses that are remembered. */
const CLIENT_ORIGINS_BYTES = 2.5 * KIBIBYTE;
const MAILBOX_BYTES = 107 * MEBIBYTE;
const BESIDE_CONNECTION = ' beside its connection';

/** The largest parts of the memory of a process whose bounds are all reached. */
export function memoryShares({ all }: FeatureSet): readonly MemoryShare[] {
  const settings: Readonly<Record<string, z.core.$ZodType>> = Object.assign(
    {},
    CORE_SETTINGS,
    ...all.map(feature => feature.settings ?? {}),
  );
  const many = (of: string, max: number, bytes: number, { name = '', beside = '' } = {}): MemoryShare => {
    const each = bytes < MEBIBYTE ? `${bytes / KIBIBYTE} KiB` : `${bytes / MEBIBYTE} MiB`;
    return { of, bound: `${max.toLocaleString('en')}${name}, ${each}${beside} each`, bytes: max * bytes };
  };
  const share = (of: string, name: string, bytes: number, beside = ''): MemoryShare =>
    many(of, z.parse(settings[name]!, undefined) as number, bytes, { name: ` (\`${name}\`)`, beside });
  return [
    { of: 'a program at rest, without local networks', bound: '', bytes: AT_REST_BYTES },
    share('connections', 'MAX_CONNECTIONS', CONNECTION_BYTES),
    share('event streams and WebSockets', 'MAX_STREAMS', STREAM_BYTES, BESIDE_CONNECTION),
    ...['MAX_WAITING_SESSION_READS', 'MAX_POSITION_READS', 'MAX_WAITING_READS'].map(name =>
      share('calls that wait', name, WAIT_BYTES, BESIDE_CONNECTION),
    ),
    share('answers of the TON RPC node', 'TON_RPC_CACHE_MEBIBYTES', MEBIBYTE),
    many('clients of the bridge whose pages are remembered', MAX_CLIENTS, CLIENT_ORIGINS_BYTES),
    {
      of: 'the mailbox of the bridge',
      bound: '`BRIDGE_MAILBOX_MEBIBYTES` of messages, which wait on disk or in Redis',
      bytes: MAILBOX_BYTES,
    },
    { of: 'heads that are not complete', bound: 'in all', bytes: UNFINISHED_LIMITS.total },
    { of: 'what callers have not read yet', bound: 'in all', bytes: UNSENT_LIMITS.total },
  ];
}

export function memoryOf(shares: readonly MemoryShare[]): number {
  return shares.reduce((sum, { bytes }) => sum + bytes, 0);
}
