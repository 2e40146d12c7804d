import { isUtf8 } from 'node:buffer';
import express, { type Request, type Response } from 'express';
import { Problem } from '../../contracts/problem';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Reads the body of a request. */
type ReadBody = (request: Request, response: Response) => Promise<unknown>;

/**
 * JSON, also without a media type, or with `text` UTF-8 of any media type.
 * @param limit largest body in bytes
 * @returns a reader that rejects with a `Problem`, or with an error of body-parser that `problemOf` knows
 */
export function bodyReader(limit: number, bodyType: 'json' | 'text' = 'json'): ReadBody {
  return bodyType === 'json' ? jsonReader(limit) : textReader(limit);
}

function jsonReader(limit: number): ReadBody {
  const parse = parsed(express.json({ limit, strict: false, type: () => true }));
  return async (request, response) => {
    const type = request.headers['content-type'];
    if (type !== undefined && !JSON_TYPE.test(type))
      throw new Problem('unsupported_media_type', 'Send the body as application/json.');
    return parse(request, response);
  };
}

function textReader(limit: number): ReadBody {
  const parse = parsed(express.raw({ limit, type: () => true }));
  return async (request, response) => {
    const bytes = (await parse(request, response)) as Buffer | undefined;
    if (bytes && !isUtf8(bytes)) throw Problem.invalid('/body', 'must be UTF-8');
    return bytes?.toString();
  };
}

const parsed =
  (parse: express.RequestHandler): ReadBody =>
  (request, response) =>
    new Promise(
      (resolve, reject) =>
        void parse(request, response, (error: unknown) => {
          if (error) return reject(error as Error);
          resolve(request.body);
        }),
    );
