import type { Server } from 'node:http';
import type { AddressInfo, Server as SocketServer } from 'node:net';
import { WrongSettings } from '../config/settings';

/** Where a server listens, and the settings that say so. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly settings: { readonly host: string; readonly port: string };
}

/** Connections that wait to be accepted: thousands of streams reconnect at once when a process has ended. */
const BACKLOG = 4_096;

/** @returns the URL of the server @throws WrongSettings */
export function listen(server: SocketServer, { host, port, settings }: ListenOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new WrongSettings(portFault(error, { host, port, settings }))),
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

/**
 * Takes no new connection and drops idle ones. A connection in use ends with its response: kept alive for a next request,
 * as clients and load balancers ask for, it would delay the stop.
 */
export function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_POLL_MS);
    server.close(() => {
      clearInterval(idle);
      resolve();
    });
  });
}
