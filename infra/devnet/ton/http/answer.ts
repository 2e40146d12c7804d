import type { RequestHandler } from 'express';

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

export const forever = (body: unknown): Answer => ({ body, immutable: true });

const YEAR = 'public, max-age=31536000';

/** Prepared JSON of immutable answers by URL, the least recently used forgotten first. */
export interface AnswerCache {
  get(url: string): string | undefined;
  set(url: string, json: string): void;
  clear(): void;
}

/** @param budget most characters kept */
export function createAnswerCache(budget: number): AnswerCache {
  const answers = new Map<string, string>();
  let size = 0;
  const forget = (url: string): void => {
    size -= answers.get(url)?.length ?? 0;
    answers.delete(url);
  };
  return {
    get(url) {
      const json = answers.get(url);
      if (json === undefined) return undefined;
      answers.delete(url);
      answers.set(url, json);
      return json;
    },
    set(url, json) {
      forget(url);
      answers.set(url, json);
      size += json.length;
      for (const oldest of answers.keys()) {
        if (size <= budget) break;
        forget(oldest);
      }
    },
    clear() {
      answers.clear();
      size = 0;
    },
  };
}

/** Handles a GET: immutable answers are made once and carry the year-long `cache-control` of the real server. */
export const answering =
  <Parameters>(
    cache: AnswerCache,
    handler: (parameters: Parameters) => Answer | Promise<Answer>,
  ): RequestHandler<Parameters> =>
  async (request, response) => {
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
