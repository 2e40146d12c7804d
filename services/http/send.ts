import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { isKept } from '../../contracts/http/kept';
import type { WithHeaders } from './binding';
import { headOf } from './head';
import { renderedOnce } from './rendered';
import { Streamed } from './streamed';

/** Answers with a body in JSON, whole or as it comes; to a `GET` of a kept answer that the client has already, 304 without one. */
export function send(
  request: Request,
  response: Response,
  answered: WithHeaders<unknown>,
): Promise<void> | void {
  const { body: answer, headers, status } = answered;
  const head = headOf(response);
  for (const [name, value] of Object.entries(headers)) head.push(name, value);
  head.push('Content-Type', status === 200 ? JSON_TYPE : PROBLEM_TYPE);
  if (answer instanceof Streamed) return stream(response, status, head, answer);
  if (!isKept(answer)) return end(response, status, head, JSON.stringify(answer));

  const { bytes, etag } = renderedOnce(answer);
  if (request.method === 'POST') return end(response, status, head, bytes);
  head.push('ETag', etag);
  if (hasAlready(request, response, etag)) response.writeHead(304, head).end();
  else end(response, status, head, bytes);
}

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** A head that is given all at once, where none was set before, is written as it is. */
function end(response: Response, status: number, head: readonly string[], body: string | Buffer): void {
  response.writeHead(status, [...head, 'Content-Length', String(Buffer.byteLength(body))]).end(body);
}

/** No faster than it is taken. Who breaks off, on either side, ends both. */
async function stream(
  response: Response,
  status: number,
  head: readonly string[],
  answer: Streamed<unknown>,
): Promise<void> {
  response.writeHead(status, [...head]);
  await pipeline(answer.parts(), response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

/** Express compares with the header that is set. */
function hasAlready(request: Request, response: Response, etag: string): boolean {
  if (request.headers['if-none-match'] === undefined) return false;
  response.setHeader('ETag', etag);
  return request.fresh;
}
