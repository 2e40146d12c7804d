import type { z } from 'zod';
import { errorsOf, type Endpoint } from '../../contracts/http/endpoint';
import { ERRORS, type ErrorCode } from '../../contracts/problem/errors';
import { problemSchema } from '../../contracts/problem/problem';
import { JsonText } from '../../contracts/json/json-text';
import { Attachment, Reply } from './call';
import { JsonStream } from './json-stream';
import { problemOf, UndeclaredResponse } from './problems';

/** The headers that mount, its middleware and proxied servers add. */
const GENERAL_HEADERS = ['idempotent-replayed'];

/**
 * Compares a reply with what its endpoint declares: body, headers and problem code.
 * @param action of the call, where the endpoint has several
 * @throws UndeclaredResponse
 */
export async function checkReply(
  endpoint: Endpoint,
  reply: Reply<unknown>,
  action: string | null = null,
): Promise<Reply<unknown>> {
  const { kind = 'json', responseHeaders = {}, actionResponses } = endpoint;
  const response = (action === null ? undefined : actionResponses?.[action]) ?? endpoint.response;
  const { body, headers, status = 200 } = reply;
  if (status >= 400 && kind === 'json') {
    declared(endpoint, parsed(endpoint, problemSchema, body).code);
    return reply;
  }
  const known = [...GENERAL_HEADERS, ...Object.keys(responseHeaders).map(name => name.toLowerCase())];
  const unknown = Object.keys(headers).filter(name => !known.includes(name.toLowerCase()));
  if (unknown.length > 0)
    throw new UndeclaredResponse(`${nameOf(endpoint)} declares no ${unknown.join(', ')}`);
  const missing = Object.entries(responseHeaders)
    .filter(([name, header]) => typeof header !== 'string' && headers[name] === undefined)
    .map(([name]) => name);
  if (missing.length > 0) throw new UndeclaredResponse(`${nameOf(endpoint)} sends no ${missing.join(', ')}`);
  if (kind !== 'json') return reply;
  if (body instanceof Attachment) {
    if (!endpoint.attachments?.includes(body.contentType))
      throw new UndeclaredResponse(`${nameOf(endpoint)} declares no ${body.contentType}`);
    return reply;
  }
  const complete = body instanceof JsonStream ? new JsonText(await body.text()) : body;
  if (response) parsed(endpoint, response, complete instanceof JsonText ? complete.toJSON() : complete);
  return new Reply(complete, headers, status);
}

/** The error, or an `UndeclaredResponse` where the endpoint does not declare its code. */
export function checkProblem(endpoint: Endpoint, error: unknown): unknown {
  if (error instanceof UndeclaredResponse) return error;
  try {
    const { code, headers } = problemOf(error);
    declared(endpoint, code);
    if ('retryAfter' in ERRORS[code] && headers['Retry-After'] === undefined)
      throw new UndeclaredResponse(`${nameOf(endpoint)} sends ${code} without Retry-After`);
    return error;
  } catch (undeclared) {
    return undeclared;
  }
}

function parsed<S extends z.ZodType>(endpoint: Endpoint, schema: S, body: unknown): z.output<S> {
  const { data, error } = schema.safeParse(body);
  if (error) throw new UndeclaredResponse(`${nameOf(endpoint)}: ${error.message}`);
  return data;
}

function declared(endpoint: Endpoint, code: ErrorCode): void {
  if (!errorsOf(endpoint).has(code))
    throw new UndeclaredResponse(`${nameOf(endpoint)} does not declare the problem ${code}`);
}

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
