import express, { type Request, type Response } from 'express';
import { Problem } from '../../contracts/problem';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Reads the body of a request: text, or JSON. A body without a media type is parsed as JSON. */
type ReadBody = (request: Request, response: Response) => Promise<unknown>;

/**
 * @param limit largest body in bytes
 * @returns a reader that rejects with a `Problem`, or with an error of body-parser that `problemOf` knows
 */
export function bodyReader(limit: number, bodyType: 'json' | 'text' = 'json'): ReadBody {
  const isJson = bodyType === 'json';
  const parse = isJson
    ? express.json({ limit, strict: false, type: () => true })
    : express.text({ limit, type: () => true });
  return (request, response) =>
    new Promise((resolve, reject) => {
      const type = request.headers['content-type'];
      if (isJson && type !== undefined && !JSON_TYPE.test(type))
        throw new Problem('unsupported_media_type', 'Send the body as application/json.');
      parse(request, response, (error: unknown) => {
        if (error) return reject(error as Error);
        resolve(request.body);
      });
    });
}
