import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server on which everything that is sent to it arrives later. */
export interface SlowWay {
  /** As the one of the server, with another host and port. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A double of network latency: a proxy of HTTP and WebSockets that delays what clients send, so that each call takes as much
 * longer. Nothing is delayed on the way back.
 * @param url of the server
 */
export async function openSlowWay(url: string, latencyMs: number): Promise<SlowWay> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, client => {
    const upstream = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      // An error on one side ends the other.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', chunk => void setTimeout(() => upstream.write(chunk), latencyMs));
    client.on('end', () => void setTimeout(() => upstream.end(), latencyMs));
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const slow = new URL(url);
  slow.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: slow.href.replace(/\/$/, ''),
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
