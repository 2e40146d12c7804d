import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const REFUSAL = JSON.stringify({
  error:
    'a local network answers requests to this machine, from its own pages: see LOCAL_NETWORK_ALLOWED_HOSTS',
});

export function refuse(response: ServerResponse): void {
  response
    .writeHead(403, { 'content-type': 'application/json', vary: 'Origin', connection: 'close' })
    .end(REFUSAL);
}

export function refuseUpgrade(socket: Duplex): void {
  // `end` alone leaves the client's side open, and the descriptor with it.
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n${REFUSAL}`);
}
