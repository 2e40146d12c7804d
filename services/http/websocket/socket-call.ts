import type { WebSocket } from 'ws';
import type { AnyCall } from '../call';
import type { IncomingCall } from '../incoming-call';

/**
 * The call of an open WebSocket, which may stay open for days: without its request and response, which take several KiB, so that it has no
 * headers any more, and nobody is told those that are appended.
 */
export class SocketCall implements AnyCall {
  #signal: AbortSignal | undefined;
  readonly requestId: string;
  readonly ip: string;
  readonly origin: string | null;
  readonly route: string;
  readonly operation: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly body = undefined;
  readonly principal: AnyCall['principal'];
  readonly minPosition: AnyCall['minPosition'];
  attempt: AnyCall['attempt'];
  readonly beforeAnswer: Promise<void>[];

  constructor(
    call: IncomingCall,
    private readonly client: Pick<WebSocket, 'readyState' | 'CLOSED' | 'once'>,
  ) {
    // A UUID is made of parts, which take eight times its length until they are put together.
    this.requestId = Buffer.from(call.requestId).toString();
    ({ ip: this.ip, origin: this.origin, route: this.route, operation: this.operation } = call);
    ({ params: this.params, query: this.query, principal: this.principal } = call);
    ({ minPosition: this.minPosition, attempt: this.attempt, beforeAnswer: this.beforeAnswer } = call);
  }

  /** Aborts when the connection is closed; created on first use. */
  get signal(): AbortSignal {
    return (this.#signal ??= closeOf(this.client));
  }

  readonly header = (): undefined => undefined;

  appendHeader(): void {}
}

function closeOf(client: Pick<WebSocket, 'readyState' | 'CLOSED' | 'once'>): AbortSignal {
  if (client.readyState === client.CLOSED) return AbortSignal.abort();
  const controller = new AbortController();
  client.once('close', () => controller.abort());
  return controller.signal;
}
