import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Response } from 'express';
import helmet from 'helmet';

const protect = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });

/** The headers of helmet, names and values in turn: computed once, since they are the same for every response. */
const SECURITY = securityHeaders();

function securityHeaders(): string[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  protect(request, response, error => {
    if (error) throw error;
  });
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}

/** Without credentials: a page of any origin may call, but none with cookies. */
const ANY_ORIGIN = [
  ['Access-Control-Allow-Origin', '*'],
  [
    'Access-Control-Expose-Headers',
    'Retry-After, X-Ledger-Position, X-Request-Id, RateLimit, RateLimit-Policy, Allow',
  ],
].flat();

/** Lets pages of any origin read the response, whatever it will be. */
export function allowAnyOrigin({ locals }: Response): void {
  locals.anyOrigin = true;
}

/** Tells caches which headers of the request the response depends on, whatever it will be; how it is compressed comes to that. */
export function varyBy({ locals }: Response, headers: readonly string[]): void {
  const vary = (locals.vary as readonly string[] | undefined) ?? [];
  locals.vary = [...new Set([...vary, ...headers])];
}

/** The headers of every response, names and values in turn, as `writeHead` takes them. */
export function headOf({ locals }: Response): string[] {
  const head = [...SECURITY, 'X-Request-Id', locals.requestId as string];
  if (locals.anyOrigin === true) head.push(...ANY_ORIGIN);
  const vary = locals.vary as readonly string[] | undefined;
  if (vary) head.push('Vary', vary.join(', '));
  const appended = (locals.appendedHeaders ?? {}) as Record<string, string>;
  for (const [name, value] of Object.entries(appended)) head.push(name, value);
  return head;
}

/** Sets these headers, where the rest of the head is not known yet. */
export function setHead(response: Response): void {
  const head = headOf(response);
  for (let at = 0; at < head.length; at += 2) response.setHeader(head[at]!, head[at + 1]!);
}
