import type { z } from 'zod';
import type { Endpoint } from '../../contracts/http/endpoint';
import type { Principal } from '../../contracts/principal';

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
}

/** A handler answers with the body alone, or with headers beside it. Anything else is thrown as a `Problem`. */
export type Handler<Params, Query, Body, Response> = (
  call: Call<Params, Query, Body>,
) => Promise<Response | WithHeaders<Response>>;

export class WithHeaders<Response> {
  constructor(
    readonly body: Response,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/** An endpoint and what answers it; each service exports a function from its dependencies to a list of these. */
export interface Binding {
  readonly endpoint: Endpoint;
  readonly handle: Handler<unknown, unknown, unknown, unknown>;
}

export const bind = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  handle: Handler<z.output<P>, z.output<Q>, z.output<B>, z.input<R>>,
): Binding => ({ endpoint: endpoint as unknown as Endpoint, handle: handle as Binding['handle'] });
