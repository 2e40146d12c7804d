import type { RequestHandler } from 'express';
import type { AnswerCache } from './answer-cache';

/** A refusal: what the client sent cannot be answered. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
  constructor(
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

export interface Answer {
  readonly body: unknown;
  /** Will be the same for ever. */
  readonly immutable: boolean;
}

/** What v4 servers say of a block that is not there (yet). */
export const NOT_THERE: Answer = { body: { exist: false }, immutable: false };

export function forever(body: unknown): Answer {
  return { body, immutable: true };
}

const YEAR = 'public, max-age=31536000';

/** Handles a GET: immutable answers are made once and carry the year-long `cache-control` of the real server. */
export function answering<Parameters>(
  cache: AnswerCache,
  handler: (parameters: Parameters) => Answer | Promise<Answer>,
): RequestHandler<Parameters> {
  return async (request, response) => {
    let json = cache.get(request.url);
    if (json === undefined) {
      const { body, immutable } = await handler(request.params);
      json = JSON.stringify(body);
      if (!immutable) {
        response.set('cache-control', 'no-store').type('json').send(json);
        return;
      }
      cache.set(request.url, json);
    }
    response.set('cache-control', YEAR).type('json').send(json);
  };
}
