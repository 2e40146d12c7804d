import type { Request, Response } from 'express';
import { parseUrl } from '../../contracts/url/parse-url';
import type { Position } from '../../contracts/position';
import type { Principal } from '../../contracts/principal';
import { newAttempt, type Attempt } from '../idempotency/attempt';
import type { AnyCall } from './call';
import { callerAddress } from './caller-address';
import { varyBy } from './head';

/** By which a trusted proxy tells where a call was sent to. */
const ORIGIN_OF_PROXY = ['X-Forwarded-Host', 'X-Forwarded-Proto'];

/** The call of a request. Its signal, which few handlers use, is created on first use. */
export class IncomingCall implements AnyCall {
  #signal: AbortSignal | undefined;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    public operation: string,
    /** Aborts the call when the program stops; for streamed responses and long polls. */
    private readonly stopping?: AbortSignal,
  ) {}

  principal: Principal | null = null;
  params: unknown = undefined;
  query: unknown = undefined;
  body: unknown = undefined;
  minPosition: Position | null = null;
  attempt: Attempt = newAttempt();
  readonly beforeAnswer: Promise<void>[] = [];

  get requestId(): string {
    return this.response.locals.requestId as string;
  }

  get route(): string {
    return this.response.locals.route as string;
  }

  get ip(): string {
    return callerAddress(this.request);
  }

  get origin(): string | null {
    const { protocol, host, method, app } = this.request;
    if (method === 'GET' && app.get('trust proxy') !== 0) varyBy(this.response, ORIGIN_OF_PROXY);
    const origin = host ? parseUrl(`${protocol}://${host}`)?.origin : undefined;
    return origin !== undefined && origin === `${protocol}://${host!.toLowerCase()}` ? origin : null;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= disconnection(this.response, this.stopping));
  }

  set signal(signal: AbortSignal) {
    this.#signal = signal;
  }

  appendHeader(name: string, value: string): void {
    const { locals } = this.response;
    const appended = (locals.appendedHeaders ??= {}) as Record<string, string>;
    appended[name] = appended[name] === undefined ? value : `${appended[name]}, ${value}`;
  }

  // A property, so that a handler may destructure it.
  readonly header = (name: string): string | undefined => this.request.get(name);
}

/** Aborts when the client disconnects before the response is complete, and with `stopping`, if given. */
function disconnection(response: Response, stopping: AbortSignal | undefined): AbortSignal {
  if (stopping?.aborted || (response.closed && !response.writableFinished)) return AbortSignal.abort();
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  stopping?.addEventListener('abort', abort, { once: true });
  // A connection also closes after a complete response.
  response.once('close', () => {
    stopping?.removeEventListener('abort', abort);
    if (!response.writableFinished) abort();
  });
  return controller.signal;
}
