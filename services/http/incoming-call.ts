import type { Request, Response } from 'express';
import type { Principal } from '../../contracts/principal';
import type { Call } from './binding';

/** A call as it came in. What few handlers look at is made when it is looked at. */
export class IncomingCall implements Call<unknown, unknown, unknown> {
  #signal: AbortSignal | undefined;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  principal: Principal | null = null;
  params: unknown = undefined;
  query: unknown = undefined;
  body: unknown = undefined;

  get requestId(): string {
    return this.response.locals.requestId as string;
  }

  get ip(): string {
    return this.request.ip ?? '';
  }

  get signal(): AbortSignal {
    return (this.#signal ??= gone(this.response));
  }

  tell(header: string, value: string): void {
    const { locals } = this.response;
    const told = (locals.told ??= {}) as Record<string, string>;
    told[header] = told[header] === undefined ? value : `${told[header]}, ${value}`;
  }

  // A property, so that a handler may take it out of the call.
  readonly header = (name: string): string | undefined => this.request.get(name);
}

function gone(response: Response): AbortSignal {
  if (response.closed && !response.writableFinished) return AbortSignal.abort();
  const controller = new AbortController();
  // A connection also closes after an answer, when there is nobody left to be told.
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
