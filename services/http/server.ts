import { createServer, IncomingMessage, ServerResponse, type Server, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/**
 * A server of the app. Its requests and responses are born with the prototypes that Express wants them to have: Express
 * changes them otherwise, one by one, and code that meets objects changed so runs several times slower.
 */
export function createAppServer(app: Express, options: ServerOptions = {}): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Express['request'];
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Express['response'];
  return createServer({ ...options, IncomingMessage: AppRequest, ServerResponse: AppResponse }, app);
}
