import type { RequestHandler } from 'express';
import type { LRUCache } from 'lru-cache';

/** JSON of immutable answers by URL. */
export type AnswerCache = LRUCache<string, string>;

/** Thrown for a request that cannot be answered. */
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
  /** Never changes. */
  readonly immutable: boolean;
}

/** The answer of v4 servers for an unknown or future block. */
export const NO_BLOCK: Answer = { body: { exist: false }, immutable: false };

export function immutable(body: unknown): Answer {
  return { body, immutable: true };
}

const ONE_YEAR = 'public, max-age=31536000';

/** Handles a GET: immutable answers are cached and have the `cache-control` of a year that the real server sends. */
export function answering<Parameters>(
  cache: AnswerCache,
  handler: (parameters: Parameters) => Answer | Promise<Answer>,
): RequestHandler<Parameters> {
  return async (request, response) => {
    let json = cache.get(request.url);
    if (json === undefined) {
      const { body, immutable: isImmutable } = await handler(request.params);
      json = JSON.stringify(body);
      if (!isImmutable) {
        response.set('cache-control', 'no-store').type('json').send(json);
        return;
      }
      cache.set(request.url, json);
    }
    response.set('cache-control', ONE_YEAR).type('json').send(json);
  };
}
