import type { IncomingMessage } from 'node:http';

/** From which the address of the caller follows, which is asked for later. */
const KEPT = ['host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const;

/** Frees what a stream, which may stay open for days, no longer needs of its request: other headers, and a body that nobody reads. */
export function releaseRequest(request: IncomingMessage): void {
  const { headers } = request;
  const kept = KEPT.filter(name => headers[name] !== undefined).map(name => [name, headers[name]] as const);
  request.headers = Object.fromEntries(kept);
  request.rawHeaders = [];
  request.resume();
}
