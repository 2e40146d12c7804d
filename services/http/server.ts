import { createServer, IncomingMessage, ServerResponse, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { markUpgrade } from './websocket';

/**
 * A server of the app, WebSockets included. Its requests and responses are created with the prototypes that Express
 * requires. Otherwise Express changes the prototype of each object, which V8 then handles several times slower.
 */
export function createAppServer(app: Express, options: ServerOptions = {}): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Express['request'];
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Express['response'];
  const server = createServer({ ...options, IncomingMessage: AppRequest, ServerResponse: AppResponse }, app);

  if (app.locals['webSockets'] !== true) return server;

  // The app handles an upgrade like any request, so that it may refuse it; a WebSocket endpoint detaches the connection.
  server.on('upgrade', (request: AppRequest, socket: Socket, head: Buffer) => {
    const broken = (): void => void socket.destroy();
    socket.on('error', broken);
    const response = new AppResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    markUpgrade(request, { socket, head });
    app(request as never, response as never);
  });
  return server;
}
