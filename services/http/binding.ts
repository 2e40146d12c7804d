import type { z } from 'zod';
import type { Endpoint } from '../../contracts/http/endpoint';
import type { Principal } from '../../contracts/principal';
import type { Streamed } from './streamed';

/** What a handler is given: the validated request and the circumstances of the call. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly requestId: string;
  /** The address of the caller; the nearest untrusted hop when proxies are trusted. */
  readonly ip: string;
  readonly header: (name: string) => string | undefined;
  /** Set on endpoints with `auth: 'bearer'`. */
  readonly principal: Principal | null;
  /** Fires when the client went away. */
  readonly signal: AbortSignal;
  /** Puts a header into the answer, whatever it comes to; told again, its values stand in a row, as in a list. */
  tell(header: string, value: string): void;
}

/**
 * A handler answers with the body, whole or as it comes, alone or with headers beside it. Anything else is thrown as a
 * `Problem`.
 */
export type Handler<Params, Query, Body, Response> = (
  call: Call<Params, Query, Body>,
) => Promise<Response | Streamed<Response> | WithHeaders<Response | Streamed<Response>>>;

export class WithHeaders<Response> {
  constructor(
    readonly body: Response,
    readonly headers: Readonly<Record<string, string>>,
    /** Other than 200, the body is a problem document. */
    readonly status: number = 200,
  ) {}
}

/**
 * Stands round a whole call, from before its token is looked at. What is known of the call fills in while it is carried
 * out: first the principal, then what was validated.
 */
export type Around = (
  call: Call<unknown, unknown, unknown>,
  carryOut: () => Promise<WithHeaders<unknown>>,
) => Promise<WithHeaders<unknown>>;

/** One standing round the other. */
export function within(outer: Around, inner: Around): Around {
  return (call, carryOut) => outer(call, () => inner(call, carryOut));
}

/** An endpoint and what answers it; each service exports a function from its dependencies to a list of these. */
export interface Binding {
  readonly endpoint: Endpoint;
  readonly handle: Handler<unknown, unknown, unknown, unknown>;
  readonly around?: Around | undefined;
}

export function bind<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  handle: Handler<z.output<P>, z.output<Q>, z.output<B>, z.input<R>>,
  around?: Around,
): Binding {
  return { endpoint: endpoint as unknown as Endpoint, handle: handle as Binding['handle'], around };
}
