import { type Metadata, status } from '@grpc/grpc-js';
import type { Position } from '../../../contracts/position';
import { StatusError } from './status-error';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Releases of the server whose subscriptions differ; the earlier one is 23.10. */
export type Release = '23.10' | '24.2';

/** Distinguishes the double from EventStoreDB. */
export const DOUBLE = '0.0.0-double';

/** How a node of the double responds. Tests change it while the node runs. */
export interface NodeState {
  /** Where a request goes that requires the leader; null when this node leads. A follower forwards appends. */
  leader: Endpoint | null;
  /** Why it takes no append: the status of each, on a call that stays open. Null while it takes them. */
  rejectsAppends: string | null;
  /** Why it answers no read, as a node that starts. */
  rejectsReads: string | null;
  /** Its index is behind: it acknowledges appends without their position. */
  hasNoPositions: boolean;
  /** The last position of the log that it can read; null for all. Followers receive what was acknowledged before. */
  replicated: Position | null;
  /** What its user may not do. */
  denied: 'reads' | 'appends' | null;
  release: Release;
  /** What it says that it is. */
  version: string;
  /** After this long it answers `Timeout` to an append that repeats one still being made. The server's default is 2,000. */
  commitTimeoutMs: number;
  /** The checkpoint without a position, 2^64-1, that 24.2.0 to 24.10.4 and 25.0.0 send while nothing has matched. */
  hasEmptyCheckpoints: boolean;
  /** Takes connections and requests, and answers nothing. */
  isSilent: boolean;
  /** Ends each call of appends, without an error and without an answer, as a proxy between them may. */
  endsAppendCalls: boolean;
  /** How many reads and subscriptions have arrived. */
  reads: number;
  /** Awaited before each page of a filtered read: nothing is sent meanwhile. */
  scan(): Promise<void>;
}

export function newNodeState(): NodeState {
  return {
    leader: null,
    rejectsAppends: null,
    rejectsReads: null,
    hasNoPositions: false,
    replicated: null,
    denied: null,
    release: '23.10',
    version: DOUBLE,
    commitTimeoutMs: 2_000,
    hasEmptyCheckpoints: false,
    isSilent: false,
    endsAppendCalls: false,
    reads: 0,
    scan: async () => undefined,
  };
}

/** The status of a call that a node does not take: a node that knows no leader has none of its own for it. */
export function codeOf(reason: string): status {
  return reason.startsWith('Server Is ') ? status.UNAVAILABLE : status.UNKNOWN;
}

export function accessDenied(): StatusError {
  return new StatusError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
}

/** @throws StatusError with the leader's address, when the call requires the leader and another node leads */
export function assertLeads({ leader }: NodeState, metadata: Metadata): void {
  if (!leader || metadata.get('requires-leader')[0] !== 'true') return;
  throw new StatusError(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': leader.host,
    'leader-endpoint-port': String(leader.port),
  });
}
