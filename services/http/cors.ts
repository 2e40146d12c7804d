import type { RequestHandler } from 'express';
import { allowAnyOrigin, setHead } from './head';

const ALLOWED_HEADERS =
  'Content-Type, Last-Event-ID, Authorization, Idempotency-Key, X-Min-Position, X-Request-Id, Cache-Control, X-Requested-With';
const CACHED_SECONDS = '86400';

/** Answers the question of a browser whether a page of any origin may send a request (Fetch standard, section 3.2). */
export function preflight(methods: readonly string[]): RequestHandler {
  return (_request, response) => {
    allowAnyOrigin(response);
    setHead(response);
    response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
    response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    response.setHeader('Access-Control-Max-Age', CACHED_SECONDS);
    response.status(204).end();
  };
}
