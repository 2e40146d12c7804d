import type { Request, Response } from 'express';
import { isKept } from '../../contracts/http/kept';
import { headOf } from './head';
import { renderedOnce } from './rendered';

/** Answers 200 with a body in JSON; to a `GET` of a kept answer that the client has already, 304 without one. */
export function send(
  request: Request,
  response: Response,
  answer: unknown,
  headers: Readonly<Record<string, string>>,
): void {
  const head = headOf(response);
  for (const [name, value] of Object.entries(headers)) head.push(name, value);
  head.push('Content-Type', 'application/json; charset=utf-8');
  if (!isKept(answer)) return end(response, head, JSON.stringify(answer));

  const { bytes, etag } = renderedOnce(answer);
  if (request.method === 'POST') return end(response, head, bytes);
  head.push('ETag', etag);
  if (hasAlready(request, response, etag)) response.writeHead(304, head).end();
  else end(response, head, bytes);
}

/** A head that is given all at once, where none was set before, is written as it is. */
function end(response: Response, head: readonly string[], body: string | Buffer): void {
  response.writeHead(200, [...head, 'Content-Length', String(Buffer.byteLength(body))]).end(body);
}

/** Express compares with the header that is set. */
function hasAlready(request: Request, response: Response, etag: string): boolean {
  if (request.headers['if-none-match'] === undefined) return false;
  response.setHeader('ETag', etag);
  return request.fresh;
}
