import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A way through to a server that can be disturbed as networks are.
 *
 * - `pause`: nothing passes any more, and nobody is told; connections stay, new ones are taken.
 * - `deafen`: what is sent to the server arrives, what it answers does not.
 * - `cut`: every connection is reset, and so is every new one.
 * - `strand`: nothing passes any more on the connections there are, for ever; new ones are well.
 * - `heal`: all is well again. What a pause held back goes on its way, what was lost stays lost.
 */
export interface Cut {
  readonly host: string;
  readonly port: number;
  pause(): void;
  deafen(): void;
  cut(): void;
  strand(): void;
  heal(): void;
  /** Bytes that have passed from the server to its clients. */
  answered(): number;
  close(): Promise<void>;
}

type State = 'well' | 'paused' | 'deaf' | 'cut';

export async function openCut(to: { readonly host?: string; readonly port: number }): Promise<Cut> {
  let state: State = 'well';
  let answered = 0;
  const sockets = new Set<Socket>();
  const stranded = new Set<Socket>();

  const adopt = (socket: Socket, other: () => Socket, take: (data: Buffer) => boolean): void => {
    sockets.add(socket.setNoDelay());
    socket
      .on('data', data => {
        if (take(data) && !other().write(data)) socket.pause();
      })
      .on('drain', () => {
        if (state !== 'paused' && !stranded.has(socket)) other().resume();
      })
      .on('error', () => other().destroy())
      .on('end', () => other().end())
      .on('close', () => {
        sockets.delete(socket);
        stranded.delete(socket);
        other().destroy();
      });
    if (state === 'paused') socket.pause();
  };

  const server = createServer({ allowHalfOpen: true }, client => {
    if (state === 'cut') return void client.on('error', () => undefined).resetAndDestroy();
    const upstream = connect({ host: to.host ?? '127.0.0.1', port: to.port, allowHalfOpen: true });
    adopt(
      client,
      () => upstream,
      () => true,
    );
    adopt(
      upstream,
      () => client,
      data => {
        if (state === 'deaf') return false;
        answered += data.length;
        return true;
      },
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  const become = (next: State): void => {
    state = next;
    for (const socket of sockets)
      if (stranded.has(socket)) continue;
      else if (next === 'cut') socket.resetAndDestroy();
      else if (next === 'paused') socket.pause();
      else socket.resume();
  };

  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    pause: () => become('paused'),
    deafen: () => become('deaf'),
    cut: () => become('cut'),
    strand: () => {
      become('paused');
      for (const socket of sockets) stranded.add(socket);
      state = 'well';
    },
    heal: () => become('well'),
    answered: () => answered,
    close: async () => {
      stranded.clear();
      become('cut');
      await new Promise(resolve => server.close(resolve));
    },
  };
}
