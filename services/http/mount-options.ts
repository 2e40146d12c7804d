import type { Logger } from 'pino';
import type { AuthScheme } from '../../contracts/http/endpoint';
import type { FollowedNetworks } from '../../contracts/network/network';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import type { Principal } from '../../contracts/principal';
import type { Audit } from '../audit/audit';
import type { SecureSession } from './access';
import type { Middleware } from './call';
import type { ConnectionLimits, ConnectionObserver } from './connections';
import type { IncompleteBodyLimits } from './incomplete-bodies';
import type { PositionReads } from './position-reads';
import type { UnsentLimits } from './unsent';

type Authenticate = (authorization: string | undefined) => Promise<Principal>;

/** What enforces the access of endpoints. */
export interface RequestPolicies {
  readonly secureSession: SecureSession;
  readonly limits: RateLimits;
  /** Records calls of bindings with an `auditSubject`. */
  readonly audit: Audit;
  /** Runs a call once for each idempotency key. */
  readonly idempotency: Middleware;
  /** Admits reads of a position, and of what their callers have recorded. */
  readonly positions: PositionReads;
}

export interface MountOptions extends Partial<RequestPolicies> {
  readonly logger: Logger;
  /** By scheme: throws a 401 `Problem` unless the `Authorization` header holds a valid token. */
  readonly authenticate?: Partial<Record<AuthScheme, Authenticate>>;
  /** The networks that the instance serves; default: all. */
  readonly followed?: FollowedNetworks;
  /** Compares every response with its schema and the declared problem codes: on in tests, off in production. */
  readonly checkResponses: boolean;
  /** Aborts when the program stops: ends event streams and WebSockets. */
  readonly stopping?: AbortSignal;
  /** Milliseconds between heartbeats of event streams and WebSockets. */
  readonly heartbeatMs?: number;
  /** Default: no limits. */
  readonly connectionLimits?: ConnectionLimits;
  /** Default: `UNSENT_LIMITS`. */
  readonly unsentLimits?: UnsentLimits;
  /** Default: `INCOMPLETE_BODY_LIMITS`. */
  readonly incompleteBodyLimits?: IncompleteBodyLimits;
  /** Called for each connection that is closed because its client does not read. */
  readonly onUnreadClosed?: () => void;
  /** Called for each WebSocket that is closed because its client breaks the protocol. */
  readonly onBroken?: (protocol: 'websocket') => void;
  /** Called for each route of event streams and WebSockets. */
  readonly observeConnections?: (route: string) => ConnectionObserver;
}

export const DEFAULT_HEARTBEAT_MS = 15_000;
