import type { z } from 'zod';

/** Who may call: anyone, or a bearer of a token of the instance or the platform. */
export type EndpointAuth = 'none' | 'bearer';

/**
 * An endpoint as data. Mounting it gives validation, a typed handler, its place in the OpenAPI document and in the
 * route list. `path` is written in OpenAPI style: `/transactions/{address}`.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  readonly group: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Other spellings of the path that existing clients use. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  /** What callers may send beside it: the names of headers, and what each is for. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly response: Response;
  /** Problem codes by status, beyond the ones that every endpoint may answer. */
  readonly errors?: Readonly<Record<number, readonly string[]>>;
  readonly auth?: EndpointAuth;
  /** Calls are counted against the limit of the caller's address, before anything else of them is looked at. */
  readonly limitedByAddress?: boolean;
  /** Largest body in bytes; default 64 KiB. */
  readonly bodyLimit?: number;
}

export function endpoint<
  Response extends z.ZodType,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(definition: Endpoint<Params, Query, Body, Response>): Endpoint<Params, Query, Body, Response> {
  return definition;
}
