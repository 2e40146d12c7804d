import type { Server } from 'node:http';
import type { AddressInfo, Server as SocketServer } from 'node:net';
import { CannotListen } from '../config/settings';

/** Where a server listens, and the settings that say so. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly settings: { readonly host: string; readonly port: string };
}

/** Connections that wait to be accepted: thousands of streams reconnect at once when a process has ended. */
const BACKLOG = 4_096;

/** @returns the URL of the server @throws CannotListen */
export function listen(server: SocketServer, { host, port, settings }: ListenOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new CannotListen(portFault(error, { host, port, settings }), { cause: error })),
    );
    server.listen({ port, host, backlog: BACKLOG }, () => {
      const { port: chosen } = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${chosen}`);
    });
  });
}

function portFault(error: NodeJS.ErrnoException, { host, port, settings }: ListenOptions): string {
  if (/EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN/.test(error.code ?? ''))
    return `${settings.host}=${host}: ${error.message}`;
  const reason =
    error.code === 'EADDRINUSE' ? `another program listens on ${host}:${port} already` : error.message;
  return `${settings.port}=${port}: ${reason}`;
}

const CLOSE_IDLE_POLL_MS = 50;

/** Longer than streams take to be closed gradually, and so short that the process ends within eight seconds. */
const GRACE_MS = 4_000;

/** Aborts when clients have had their time to end their requests, and to read the answers. */
export function graceOfRequests(): AbortSignal {
  return AbortSignal.timeout(GRACE_MS);
}

/**
 * Takes no new connection and drops idle ones. A connection in use ends with its response: kept alive for a next request,
 * as clients and load balancers ask for, it would delay the stop.
 * @param grace aborts when connections in use are dropped, too: clients that do not read, or do not end what they send, would
 * keep the process
 */
export function close(server: Server, grace: AbortSignal = graceOfRequests()): Promise<void> {
  return new Promise(resolve => {
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_POLL_MS);
    const closed = (): void => {
      clearInterval(idle);
      grace.removeEventListener('abort', drop);
      resolve();
    };
    /** Connections that are no longer of HTTP are not waited for. */
    const drop = (): void => {
      server.closeAllConnections();
      closed();
    };
    server.close(closed);
    if (grace.aborted) drop();
    else grace.addEventListener('abort', drop, { once: true });
  });
}
