import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { IsAllowed } from '../../../config/allowed-hosts';
import { refuse, refuseUpgrade } from '../../refuse-host';
import type { Hub } from '../pubsub/hub';
import { answer, type Call } from './dispatch';
import { serveSocket } from './websocket';
import { requestBody } from '../../request-body';

/** A validator accepts 50 kB; this is enough for a batch of a hundred transactions. */
const MAX_BODY = 256 * 1024;

const CORS = {
  vary: 'Origin',
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

const send = (response: ServerResponse, status: number, type: string, text: string): void => {
  const body = Buffer.from(text);
  const headers = { ...CORS, 'content-type': type, 'content-length': body.length };
  response.writeHead(status, status === 204 ? CORS : headers).end(body);
};

const serve = async (request: IncomingMessage, response: ServerResponse, call: Call): Promise<void> => {
  if (request.method === 'OPTIONS') return send(response, 200, 'text/plain', '');
  if (request.method === 'GET' && request.url === '/health') return send(response, 200, 'text/plain', 'ok');
  if (request.method !== 'POST') return send(response, 405, 'text/plain', 'Used HTTP Method is not allowed.');
  const body = await requestBody(request, MAX_BODY);
  if (body === null) {
    response.shouldKeepAlive = false;
    return send(response, 413, 'text/plain', `A request has at most ${MAX_BODY} bytes.`);
  }
  const text = await answer(body, call);
  send(response, text === null ? 204 : 200, 'application/json; charset=utf-8', text ?? '');
};

const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

const MAX_ATTEMPTS = 20;

/** Two adjacent ports: web3.js expects the WebSocket one above the HTTP port of a URL. */
const listenOnPair = async (
  servers: readonly [Server, Server],
  port: number,
  host: string,
): Promise<number> => {
  for (let attempt = 1; ; attempt += 1) {
    const first = await listen(servers[0], port, host);
    try {
      await listen(servers[1], first + 1, host);
      return first;
    } catch (error) {
      await new Promise(resolve => servers[0].close(resolve));
      if (port !== 0 || attempt === MAX_ATTEMPTS) throw error;
    }
  }
};

export interface RpcServer {
  /** The lower of the two ports; each serves both HTTP and WebSocket. */
  readonly port: number;
  close(): Promise<void>;
}

/** Where a server listens, and whom it answers. */
interface RpcServerOptions {
  /** 0 for any free pair. */
  readonly port: number;
  readonly host: string;
  readonly isAllowed: IsAllowed;
}

/** Serves JSON-RPC over HTTP and WebSocket. */
export async function startServer(
  call: Call,
  hub: Hub,
  { port, host, isAllowed }: RpcServerOptions,
): Promise<RpcServer> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY });
  const create = (): Server => {
    const server = createServer((request, response) => {
      if (!isAllowed(request.headers)) return refuse(response);
      serve(request, response, call).catch(() => response.destroy());
    });
    server.keepAliveTimeout = 65_000;
    server.on('upgrade', (request, socket, head) => {
      if (!isAllowed(request.headers)) return refuseUpgrade(socket);
      sockets.handleUpgrade(request, socket, head, webSocket => serveSocket(webSocket, call, hub));
    });
    return server;
  };
  const servers = [create(), create()] as const;
  const chosen = await listenOnPair(servers, port, host);
  return {
    port: chosen,
    close: async () => {
      // None is accepted any more when the present ones are closed: clients connect again.
      const closed = Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
      for (const socket of sockets.clients) socket.terminate();
      for (const server of servers) server.closeAllConnections();
      await closed;
    },
  };
}
