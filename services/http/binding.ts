import type { z } from 'zod';
import type { Endpoint, EndpointKind } from '../../contracts/http/endpoint';
import type { Position } from '../../contracts/position';
import type { Principal } from '../../contracts/principal';
import type { AuditSubject } from '../audit/audit';
import type { Attempt } from '../idempotency/attempt';
import type { JsonStream } from './json-stream';
import type { ProxyTarget } from './proxy';
import type { ServerSentEvent } from './sse';
import type { Socket } from './websocket';

/** What a handler gets: the validated request and the circumstances of the call. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly requestId: string;
  /** The address of the caller; the nearest untrusted hop when proxies are trusted. */
  readonly ip: string;
  readonly header: (name: string) => string | undefined;
  /** Null on endpoints without `auth`. */
  readonly principal: Principal | null;
  /** `X-Min-Position`, where the endpoint honours it: what a read has to include. */
  readonly minPosition: Position | null;
  /** The ids to use for what the call changes; the same ones when the call is retried with its idempotency key. */
  attempt: Attempt;
  /** Method, path and action: what is called, by whatever alias. */
  readonly operation: string;
  /** Aborts when the client disconnects; for kinds that stream, also when the program stops. */
  readonly signal: AbortSignal;
  /** Adds a header to the response, also to a problem; a repeated one becomes a list. */
  appendHeader(name: string, value: string): void;
}
export type AnyCall = Call<unknown, unknown, unknown>;

/** A response with headers, or with another status than that of the endpoint; from 400 the body is a problem document. */
export class Reply<Body> {
  constructor(
    readonly body: Body,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly status?: number,
  ) {}
}

/** Bytes, whole or as they come. */
export type RawBody = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** What handlers return, by kind, and that of a WebSocket when the conversation is over. */
interface Results<Response> {
  readonly json: Response | JsonStream<Response>;
  readonly sse: AsyncIterable<ServerSentEvent<Response>>;
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

/** Wraps a call from before its authentication. What is known of the call fills in while `next` runs. */
export type Middleware = (call: AnyCall, next: () => Promise<Reply<unknown>>) => Promise<Reply<unknown>>;

interface BindOptions {
  /** Reads from a well-formed body what the audit trail says of the call; without it calls are not audited. */
  readonly auditSubject?: (body: unknown) => AuditSubject;
}

/** An endpoint and its handler; each service exports a function from its dependencies to a list of these. */
export interface Binding extends BindOptions {
  readonly endpoint: Endpoint;
  readonly handle: (call: AnyCall, socket?: Socket<unknown, unknown>) => Promise<unknown>;
}

export function bind<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  K extends EndpointKind,
>(
  endpoint: Endpoint<P, Q, B, R, K>,
  handle: Handler<K, z.output<P>, z.output<Q>, z.output<B>, z.input<R>>,
  options: BindOptions = {},
): Binding {
  return {
    ...options,
    endpoint: endpoint as unknown as Endpoint,
    handle: handle as unknown as Binding['handle'],
  };
}
