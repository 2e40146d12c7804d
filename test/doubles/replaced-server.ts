import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** Answers a request instead of the server behind; false leaves it to that. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * One URL behind which a test replaces the server at any moment, as a balancer or an operator does; or gives answers of its
 * own. Passes WebSockets on too, which a replacement disconnects.
 */
export interface ReplacedServer {
  readonly url: string;
  readonly ws: string;
  /** Paths and methods of the requests so far, such as `GET /block/latest`. */
  readonly requests: string[];
  /** @param to base URL for HTTP @param ws base URL for WebSockets; default: the same */
  replace(to: string, ws?: string): void;
  /** Null: the server behind answers everything. */
  answer: Answer | null;
  close(): Promise<void>;
}

export async function openReplacedServer(to: string, ws?: string): Promise<ReplacedServer> {
  let behind = { http: new URL(to), ws: new URL(ws ?? to) };
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    replaced.requests.push(`${request.method} ${request.url}`);
    if (replaced.answer?.(request, response)) return;
    const { hostname, port } = behind.http;
    const { method, url: path, headers } = request;
    const onward = httpRequest({ hostname, port, method, path, headers }, answer => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('upgrade', (request, socket: Socket, head) => {
    const { hostname, port } = behind.ws;
    const onward = connect(Number(port), hostname, () => {
      const headers = request.rawHeaders.reduce(
        (text, part, index) => text + part + (index % 2 === 0 ? ': ' : '\r\n'),
        '',
      );
      onward.write(`${request.method} ${request.url} HTTP/1.1\r\n${headers}\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const disconnect = (): void => sockets.forEach(socket => socket.destroy());

  const replaced: ReplacedServer = {
    url: `http://127.0.0.1:${port}`,
    ws: `ws://127.0.0.1:${port}`,
    requests: [],
    answer: null,
    replace(http, websockets = http) {
      behind = { http: new URL(http), ws: new URL(websockets) };
      disconnect();
    },
    async close() {
      disconnect();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return replaced;
}
