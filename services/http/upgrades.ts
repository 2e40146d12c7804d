import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { stopCounting } from './unfinished';
import { markUpgrade } from './websocket/accept';

/**
 * Has the app handle an upgrade like any request, so that it may refuse it; a WebSocket endpoint detaches the connection.
 * @param createResponse of the class that the server uses
 */
export function serveUpgrades(
  server: Server,
  createResponse: (request: IncomingMessage) => ServerResponse,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const broken = (): void => void socket.destroy();
    socket.on('error', broken);
    const response = createResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // An earlier request on this connection has not been answered yet: no client sends an upgrade then.
      return broken();
    }
    if (!isWebSocketUpgrade(request)) {
      response.detachSocket(socket);
      socket.off('error', broken);
      return handleWithoutUpgrade(server, request, socket, head);
    }
    // Not `end`: a client that leaves its side open would keep the connection.
    response.once('finish', () => socket.destroySoon());
    markUpgrade(request, { socket, head });
    handle(request, response);
    stopCounting(socket);
  });
}

const isWebSocketUpgrade = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

const UPGRADE_FIELDS = /^(?:connection|upgrade|http2-settings)$/i;
const CLOSES = /(?:^|,)\s*close\s*(?:,|$)/i;

/**
 * Handles a request as if it had not asked for an upgrade, such as to HTTP/2, which Java's client asks for by default
 * (RFC 9110, section 7.8, allows to ignore it). Node has not read its body, so the connection begins again with the request.
 */
function handleWithoutUpgrade(
  server: Server,
  { method, url, httpVersion, headers, rawHeaders }: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  if (CLOSES.test(headers.connection ?? '')) lines.push('Connection: close');
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!UPGRADE_FIELDS.test(rawHeaders[at]!)) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
