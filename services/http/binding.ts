import type { z } from 'zod';
import type { Endpoint, EndpointKind } from '../../contracts/http/endpoint';
import type { JsonText } from '../../contracts/json/json-text';
import type { AuditSubjectOf } from '../audit/audit';
import type { AnyCall, Attachment, Call, RawBody, Reply } from './call';
import type { EventFeed } from './event-feed';
import type { JsonStream } from './json-stream';
import type { ProxyTarget } from './proxy';
import type { Socket } from './websocket/socket';

/** What handlers return, by kind. That of a WebSocket returns nothing, when the connection may be closed. */
interface Results<Response> {
  readonly json: Response | JsonText<Response> | JsonStream<Response> | Attachment;
  readonly sse: EventFeed;
  readonly raw: RawBody;
  readonly proxy: ProxyTarget;
}

/** Returns the body, or a `Reply`; anything else is thrown as a `Problem`. */
type Handler<Kind extends EndpointKind, Params, Query, Body, Response> = Kind extends 'websocket'
  ? (call: Call<Params, Query, undefined>, socket: Socket<Body, Response>) => Promise<void>
  : (
      call: Call<Params, Query, Body>,
    ) => Promise<
      | Results<Response>[Kind & keyof Results<Response>]
      | Reply<Results<Response>[Kind & keyof Results<Response>]>
    >;

interface BindOptions<Sent = unknown> {
  /** A message that a WebSocket sends with each ping, for clients and proxies that do not see pings. */
  readonly heartbeat?: Sent;
  /** Without it calls are not audited. */
  readonly auditSubject?: AuditSubjectOf;
}

/** An endpoint and its handler; each service exports a function from its dependencies to a list of these. */
export interface Binding extends BindOptions {
  readonly endpoint: Endpoint;
  readonly handle: (call: AnyCall, socket?: Socket<unknown, unknown>) => Promise<unknown>;
}

/** An endpoint with the handler that answers it; `mount` enforces what the endpoint declares before the handler is called. */
export function bind<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  K extends EndpointKind,
>(
  endpoint: Endpoint<P, Q, B, R, K>,
  handle: Handler<K, z.output<P>, z.output<Q>, z.output<B>, z.input<R>>,
  options: BindOptions<z.input<R>> = {},
): Binding {
  return {
    ...options,
    endpoint: endpoint as unknown as Endpoint,
    handle: handle as unknown as Binding['handle'],
  };
}
