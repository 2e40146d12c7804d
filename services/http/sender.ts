import type { Request, Response } from 'express';
import { isStreaming } from '../../contracts/http/endpoint';
import type { Binding } from './binding';
import { DEFAULT_BODY_LIMIT } from './body';
import type { RawBody, Reply } from './call';
import type { Connections } from './connections';
import type { EventFeed, Feeds } from './event-feed';
import type { IncomingCall } from './incoming-call';
import { DEFAULT_HEARTBEAT_MS, type MountOptions } from './mount-options';
import { forward, type ProxyTarget } from './proxy';
import { sendJson, sendRaw } from './send';
import type { UnsentBytes } from './unsent';
import { webSocketAcceptor } from './websocket/accept';

/** The open streams of all endpoints together. */
export interface Streams {
  readonly connections: Connections;
  readonly feeds: Feeds;
  readonly unsent: UnsentBytes;
}

type Send = (
  request: Request,
  response: Response,
  reply: Reply<unknown>,
  call: IncomingCall,
) => Promise<void> | void;

/** How the replies of an endpoint are sent, by its kind. */
export function senderOf(
  { endpoint, handle, heartbeat }: Binding,
  options: MountOptions,
  { connections, feeds, unsent }: Streams,
): Send {
  const { bodyLimit = DEFAULT_BODY_LIMIT, contentType = 'application/octet-stream' } = endpoint;
  const { checkResponses, stopping, heartbeatMs = DEFAULT_HEARTBEAT_MS, logger } = options;
  const observer = isStreaming(endpoint.kind ?? 'json')
    ? options.observeConnections?.(endpoint.path)
    : undefined;
  switch (endpoint.kind ?? 'json') {
    case 'json':
      return sendJson;
    case 'raw':
      return (request, response, reply) => sendRaw(request, response, reply as Reply<RawBody>, contentType);
    case 'sse':
      return (_request, response, reply, call) => {
        const feed = reply as Reply<EventFeed>;
        response.once(
          'close',
          connections.open(call, () => response.destroy(), feed.body.weight),
        );
        return feeds.open(response, feed, observer);
      };
    case 'proxy':
      return (request, response, reply, call) =>
        forward(request, response, reply as Reply<ProxyTarget>, call, bodyLimit);
    case 'websocket': {
      const accept = webSocketAcceptor({
        schema: checkResponses ? endpoint.response : undefined,
        heartbeatMs,
        logger,
        observer,
        stopping,
        handle,
        received: endpoint.body,
        bodyLimit,
        heartbeat,
        connections,
        unsent,
        onBroken: () => options.onBroken?.('websocket'),
      });
      return (request, response, _reply, call) => accept(request, response, call);
    }
  }
}
