import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that simulates network faults. */
export interface FaultyProxy {
  readonly host: string;
  readonly port: number;
  /** No data passes, in either direction; connections stay open, and new ones are accepted. */
  pause(): void;
  /** Requests reach the server; its replies are dropped. */
  dropReplies(): void;
  /** Resets all connections, including new ones. */
  reset(): void;
  /** The existing connections pass no more data; new ones work. */
  stallConnections(): void;
  /** A connection passes no more data once its client sends what matches, until it is restored. */
  stallOn(matches: (data: Buffer) => boolean): void;
  /** A connection is reset, instead of passing it on, when its client sends what matches. */
  resetOn(matches: (data: Buffer) => boolean): void;
  /** Ends the fault. Paused data is delivered; dropped data stays lost. */
  restore(): void;
  /** Bytes that the server has sent to its clients. */
  bytesReceived(): number;
  close(): Promise<void>;
}

type State = 'working' | 'paused' | 'dropping replies' | 'resetting';

export async function startFaultyProxy(target: {
  readonly host?: string;
  readonly port: number;
}): Promise<FaultyProxy> {
  let state: State = 'working';
  let bytesReceived = 0;
  let stalls: ((data: Buffer) => boolean) | null = null;
  let resets: ((data: Buffer) => boolean) | null = null;
  const sockets = new Set<Socket>();
  const stalled = new Set<Socket>();

  const relay = (socket: Socket, other: () => Socket, accept: (data: Buffer) => boolean): void => {
    sockets.add(socket.setNoDelay());
    socket
      .on('data', data => {
        if (accept(data) && !other().write(data)) socket.pause();
      })
      .on('drain', () => {
        if (state !== 'paused' && !stalled.has(socket)) other().resume();
      })
      .on('error', () => other().destroy())
      .on('end', () => other().end())
      .on('close', () => {
        sockets.delete(socket);
        stalled.delete(socket);
        other().destroy();
      });
    if (state === 'paused') socket.pause();
  };

  const server = createServer({ allowHalfOpen: true }, client => {
    if (state === 'resetting') return void client.on('error', () => undefined).resetAndDestroy();
    const upstream = connect({ host: target.host ?? '127.0.0.1', port: target.port, allowHalfOpen: true });
    relay(
      client,
      () => upstream,
      data => {
        if (resets?.(data)) {
          client.resetAndDestroy();
          return false;
        }
        if (!stalls?.(data)) return true;
        client.pause().unshift(data);
        return false;
      },
    );
    relay(
      upstream,
      () => client,
      data => {
        if (state === 'dropping replies') return false;
        bytesReceived += data.length;
        return true;
      },
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  const setState = (next: State): void => {
    state = next;
    stalls = null;
    resets = null;
    for (const socket of sockets)
      if (stalled.has(socket)) continue;
      else if (next === 'resetting') socket.resetAndDestroy();
      else if (next === 'paused') socket.pause();
      else socket.resume();
  };

  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    pause: () => setState('paused'),
    dropReplies: () => setState('dropping replies'),
    reset: () => setState('resetting'),
    stallConnections: () => {
      setState('paused');
      for (const socket of sockets) stalled.add(socket);
      state = 'working';
    },
    stallOn: matches => void (stalls = matches),
    resetOn: matches => void (resets = matches),
    restore: () => setState('working'),
    bytesReceived: () => bytesReceived,
    close: async () => {
      stalled.clear();
      setState('resetting');
      await new Promise(resolve => server.close(resolve));
    },
  };
}
