import { connect, type Socket } from 'node:net';

/** Connections opened at a time. */
const CONCURRENCY = 100;
/** A machine has some 28,000 ports for each address, and those that were just closed are not free. */
const SOURCES = 100;
/** Frames without a payload (RFC 6455, section 5.2); that of a client is masked. */
const PING = Buffer.from([0x89, 0]);
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const CONNECTED = 'connected"';

/** A text of less than 126 bytes as a client sends it, with a mask of zeros. */
function frame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
}

/**
 * Program: as many wallets as there are tokens, each with a stream of updates. It is sent the tokens first. Then, whenever it is asked
 * for, it closes all streams and opens them again; reports the milliseconds until all are connected.
 */
function main(url: string): void {
  const { host, hostname, port, pathname } = new URL(url);
  const handshake =
    `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  let tokens: readonly string[] = [];
  let sockets: Socket[] = [];
  let opened = 0;

  const open = (token: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const localAddress = `127.0.0.${2 + (opened++ % SOURCES)}`;
      const socket = connect({ host: hostname, port: Number(port), localAddress });
      sockets.push(socket);
      let text = '';
      socket.on('error', reject);
      socket.on('close', () => reject(new Error(`closed after ${JSON.stringify(text)}`)));
      socket.on('data', (chunk: Buffer) => {
        if (chunk.includes(PING)) socket.write(PONG);
        if (text.includes(CONNECTED)) return;
        text += chunk.toString('latin1');
        if (text.includes(CONNECTED)) resolve();
      });
      socket.write(handshake);
      socket.write(frame(JSON.stringify({ type: 'connect', token })));
    });

  const openAll = async (): Promise<number> => {
    const began = performance.now();
    for (const socket of sockets) socket.destroy();
    sockets = [];
    let next = 0;
    const openSome = async (): Promise<void> => {
      while (next < tokens.length) await open(tokens[next++]!);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, openSome));
    return performance.now() - began;
  };

  process.on('message', (request: readonly string[] | 'again') => {
    if (request !== 'again') tokens = request;
    openAll().then(
      ms => process.send!(ms),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
  process.once('SIGTERM', () => process.exit(0));
}

main(process.argv[2]!);
