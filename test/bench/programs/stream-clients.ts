import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Connections opened at a time. */
const CONCURRENCY = 100;
/** Frames without a payload (RFC 6455, section 5.2); that of a client is masked. */
const PING = Buffer.from([0x89, 0]);
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/**
 * Program: many WebSocket clients of one path, so simple that they take little time themselves. Reports when all have
 * received the first frame; then, for each message that all have received, the instants at which they did.
 * @param first text of the first frame @param next text of every message; its parent may ask for those with another text, and what
 *   came before no longer counts once that is answered
 */
async function main(url: string, clients: number, first = '"connected"', next = '"message"'): Promise<void> {
  const { host, hostname, port, pathname } = new URL(url);
  const handshake =
    `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  const sockets: Socket[] = [];
  let received: string[] = [];
  let wanted = next;
  process.on('message', text => {
    wanted = String(text);
    received = [];
    process.send!('ready');
  });

  const open = async (): Promise<void> => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.write(handshake);
    for (let text = ''; !text.includes(first);) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      text += chunk.toString('latin1');
    }
    socket.on('data', (chunk: Buffer) => {
      if (chunk.includes(PING)) socket.write(PONG);
      if (!chunk.includes(wanted)) return;
      received.push(process.hrtime.bigint().toString());
      if (received.length < clients) return;
      process.send!(received);
      received = [];
    });
  };

  let left = clients;
  const openSome = async (): Promise<void> => {
    while (left-- > 0) await open();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, openSome));
  process.send!('connected');
  process.once('SIGTERM', () => process.exit(0));
}

void main(process.argv[2]!, Number(process.argv[3]), process.argv[4], process.argv[5]);
