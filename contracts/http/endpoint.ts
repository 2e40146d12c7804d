import type { z } from 'zod';
import type { ErrorCode } from '../problem/errors';
import type { Json } from '../json/json';
import type { NetworkRef } from '../network/network';
import type { Quota } from '../quota';
import type { Role } from '../principal';
import type { Problem } from '../problem/problem';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What an endpoint answers with:
 * - `json`: one document, of the schema `response`
 * - `sse`: server-sent events whose `data` is JSON of the schema `response`
 * - `websocket`: JSON messages, of the schema `body` from the client and `response` to it; without `body`, what the
 *   client sends is ignored; the method is GET
 * - `raw`: bytes of the media type `contentType`
 * - `proxy`: the response of the server behind it
 */
export type EndpointKind = 'json' | 'sse' | 'websocket' | 'raw' | 'proxy';

/** Whether a connection of this kind stays open, so that connections are limited. */
export function isStreaming(kind: EndpointKind): boolean {
  return kind === 'sse' || kind === 'websocket';
}

/** The ways to authenticate, as OpenAPI security schemes. */
export const AUTH_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token of the instance or of the platform. Where the program is its own issuer, as it is by default, `npm run -s tidemark -- token --role admin --secure` prints one. It is valid for an hour, and for actions that need a secure session for `SECURE_SESSION_MAX_AGE`, 15 minutes by default. Its role is `finance`, `admin`, `owner` or `platform_admin`; `viewer`, as which a missing or unknown one counts, opens nothing by itself.',
  },
} as const;
export type AuthScheme = keyof typeof AUTH_SCHEMES;

/** What a caller needs, and which request headers are honoured. `mount` enforces and documents all of it. */
export interface Access {
  /** The lowest role that may call. */
  readonly role?: Role;
  /** The caller must have authenticated strongly, and recently. */
  readonly secureSession?: boolean;
  /** The quota that calls are counted against: of the caller, or of its address when it is not authenticated. */
  readonly rateLimit?: Quota;
  /** `Idempotency-Key` makes the call happen once. Only of kind `json`. */
  readonly idempotency?: boolean;
  /** `X-Min-Position` makes the read wait for a position. */
  readonly minPosition?: boolean;
}

/** A request that its endpoint accepts: the OpenAPI document shows it, and tests make malformed ones from it. */
export interface Example {
  /** In the OpenAPI document. Default: the action of the body, or else a number. */
  readonly name?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

/** Answers that were recorded, by operation id and by the name of the example that they answer. */
export type ResponseExamples = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** A header that every successful response has. */
export interface RequiredHeader {
  readonly description: string;
  readonly required: true;
}

/** A call whose path, query and body are valid. */
export interface ValidCall<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
}

/**
 * An endpoint as data. Mounting it gives validation, a typed handler, its place in the OpenAPI document and in the
 * route list. `path` is written in OpenAPI style: `/transactions/{address}`.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Kind extends EndpointKind = EndpointKind,
> extends Access {
  readonly group: string;
  readonly method: Method;
  readonly path: string;
  /** Other spellings of the path that existing clients use. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Its name in generated clients. Default: the words of the path, after `get` for a GET. */
  readonly operationId?: string;
  readonly examples?: readonly Example[];
  /** Default: `json`. */
  readonly kind?: Kind;
  /** Waits for a change: a program that stops ends the wait, as it waits for requests itself. Of kind `json`. */
  readonly longPoll?: boolean;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** `text`: the body is a string whatever its media type, not JSON. Default: `json`. */
  readonly bodyType?: 'json' | 'text';
  /** Largest body, or message of a WebSocket, in bytes; default 64 KiB. */
  readonly bodyLimit?: number;
  /** Longest path and query together, in bytes; default 16 KiB. */
  readonly targetLimit?: number;
  readonly response?: Response;
  /** Status of success; default 200. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Media type of what a `raw` endpoint answers. */
  readonly contentType?: string;
  /** Media types of files that an endpoint of kind `json` may answer with instead. */
  readonly attachments?: readonly string[];
  /** Headers of a successful response: names, and what each is for. */
  readonly responseHeaders?: Readonly<Record<string, string | RequiredHeader>>;
  /** Answers that have not changed are not sent again: they have an `ETag`. Of kind `json`, and a GET. */
  readonly etag?: boolean;
  /** Request headers that its handler reads: names, and what each is for. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Problem codes beyond those that follow from the other fields. */
  readonly errors?: readonly ErrorCode[];
  /** Further members of a problem document, for clients that expect another form. */
  readonly problemMembers?: (problem: Problem) => Readonly<Record<string, unknown>>;
  /** Default: `none`. */
  readonly auth?: AuthScheme | 'none';
  /** Pages of any origin may call it in a browser, and read every answer: applications that are not ours. Default: false. */
  readonly cors?: boolean;
  /** Calls are also counted against the quota of the caller's address, once they are authenticated. */
  readonly limitedByAddress?: boolean;
  /**
   * Has the accounts that it reads watched: the first read of one counts against a quota of the caller's address, and is
   * refused while too many are watched. It waits for what is missing; a program that stops ends the wait.
   */
  readonly watches?: boolean;
  /**
   * The networks whose chain a call reads or writes; not those that only say which records are meant. Where all of them are off
   * the call is refused, whatever is known of the time when they were not.
   * @throws Problem 400 for an address of another network
   */
  needs?(call: ValidCall<Params, Query, Body>): readonly NetworkRef[];
  /** The access of each action, for an endpoint whose body selects an action with its member `action`. */
  readonly actions?: Readonly<Record<string, Access>>;
  /** The response to each action, of which `response` is the union. */
  readonly actionResponses?: Readonly<Record<string, z.ZodType>>;
}

/** Declares an endpoint; infers the types of its parameters, query, body and response from the schemas. */
export function endpoint<
  Response extends z.ZodType = z.ZodUndefined,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  const Kind extends EndpointKind = 'json',
>(definition: Endpoint<Params, Query, Body, Response, Kind>): Endpoint<Params, Query, Body, Response, Kind> {
  return definition;
}

/** Everything that calls of an endpoint may need: its own access, or those of its actions. */
export function accessesOf(endpoint: Endpoint): readonly Access[] {
  return endpoint.actions ? Object.values(endpoint.actions) : [endpoint];
}

const AUTH_ERRORS: readonly ErrorCode[] = ['unauthenticated', 'wrong_instance'];
const BODY_ERRORS: readonly ErrorCode[] = ['body_too_large', 'bodies_exhausted', 'unsupported_media_type'];
const CONNECTION_ERRORS: readonly ErrorCode[] = ['too_many_connections', 'connections_exhausted'];
const WATCH_ERRORS: readonly ErrorCode[] = ['rate_limited', 'watch_limit_reached'];
const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = ['idempotency_in_flight', 'idempotency_key_reused'];

/** Every problem code that an endpoint may answer with: those it declares, and those that follow from its other fields. */
export function errorsOf(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const { kind = 'json', method, params, query, body, auth = 'none', errors = [] } = endpoint;
  const { bodyType = 'json', targetLimit } = endpoint;
  const accesses = accessesOf(endpoint);
  const some = (condition: (access: Access) => unknown): boolean => accesses.some(condition);
  const takesBody = kind !== 'websocket' && body !== undefined;
  const headers = some(({ idempotency, minPosition }) => idempotency || minPosition);
  return new Set<ErrorCode>([
    ...errors,
    ...(params || query || takesBody || headers ? (['invalid_request'] as const) : []),
    ...(takesBody ? BODY_ERRORS : []),
    ...(takesBody && bodyType === 'json' ? (['invalid_json'] as const) : []),
    ...(method === 'GET' && !endpoint.watches ? [] : (['version_conflict'] as const)),
    ...(targetLimit === undefined ? [] : (['uri_too_long'] as const)),
    ...(auth === 'none' ? [] : AUTH_ERRORS),
    ...(some(({ role }) => role) ? (['insufficient_role'] as const) : []),
    ...(some(({ secureSession }) => secureSession) ? (['secure_session_required'] as const) : []),
    ...(some(({ rateLimit }) => rateLimit) || endpoint.limitedByAddress || auth !== 'none'
      ? (['rate_limited'] as const)
      : []),
    ...(endpoint.watches ? WATCH_ERRORS : []),
    ...(endpoint.needs ? (['network_off'] as const) : []),
    ...(some(({ idempotency }) => idempotency) ? IDEMPOTENCY_ERRORS : []),
    ...(kind === 'proxy' ? (['body_too_large', 'upstream_unavailable'] as const) : []),
    ...(kind === 'websocket' ? (['upgrade_required'] as const) : []),
    ...(isStreaming(kind) ? CONNECTION_ERRORS : []),
    'engine_unavailable',
    'engine_access_denied',
    'event_store_behind',
    'log_behind',
    'stored_data_damaged',
    'not_ready',
    'internal',
  ]);
}
