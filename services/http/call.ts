import type { Position } from '../../contracts/position';
import type { Principal } from '../../contracts/principal';
import type { Attempt } from '../idempotency/attempt';

/** What a handler receives: the validated request and its context. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly requestId: string;
  /** The address of the caller; the nearest untrusted hop when proxies are trusted. */
  readonly ip: string;
  /** What the caller has sent the request to, such as `https://api.example.com`; null when it does not say. */
  readonly origin: string | null;
  readonly header: (name: string) => string | undefined;
  /** Null on endpoints without `auth`. */
  readonly principal: Principal | null;
  /** `X-Min-Position`, where the endpoint honours it: the position that a read has to include. */
  readonly minPosition: Position | null;
  /** The ids to use for what the call changes; the same ones when the call is retried with its idempotency key. */
  attempt: Attempt;
  /** What has to be stored before the call is answered, beside what its middleware stores. */
  readonly beforeAnswer: Promise<void>[];
  /** Method, path and action; the same for all aliases of the path. */
  readonly operation: string;
  /** The path of the endpoint, or the alias of it, that was called: `/card/testnet/v2/updates`. */
  readonly route: string;
  /** Aborts when the client disconnects; for kinds that stream and long polls, also when the program stops. */
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

/** Bytes, complete or streamed. */
export type RawBody = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** A file as the answer of an endpoint of kind `json` that declares its media type in `attachments`. */
export class Attachment {
  constructor(
    readonly bytes: string | Uint8Array,
    /** Such as `text/csv; charset=utf-8`. */
    readonly contentType: string,
    /** ASCII letters, digits and `-`, `.`, `_`. */
    readonly fileName: string,
  ) {}
}

/** Wraps a call, before its authentication. The fields of the call are set while `next` runs. */
export type Middleware = (call: AnyCall, next: () => Promise<Reply<unknown>>) => Promise<Reply<unknown>>;
