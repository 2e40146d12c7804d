import { type RawData, WebSocket } from 'ws';
import type { Hub, Listener } from '../pubsub/hub';
import { answer, type Call } from './dispatch';

/** A client that is this many bytes behind is disconnected: notifications cannot be repeated. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

const bytesOf = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);

/** Serves one WebSocket: subscriptions, and all calls of the HTTP side. */
export function serveSocket(socket: WebSocket, call: Call, hub: Hub): void {
  const listener: Listener = {
    send: text => {
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate();
      else if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
  };
  const callOrSubscribe: Call = async request =>
    hub.call(listener, request.method, request.params) ?? (await call(request));
  socket.on('message', data => {
    void answer(bytesOf(data), callOrSubscribe).then(text => text !== null && listener.send(text));
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => hub.leave(listener));
}
