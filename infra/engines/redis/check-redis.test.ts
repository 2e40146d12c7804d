import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { CannotOpen } from '../../config/cannot-open';
import { checkRedis } from './check-redis';

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

const serve = async (answer: (socket: Socket, request: string) => void): Promise<string> => {
  const server = createServer(socket => socket.on('data', data => answer(socket, data.toString())));
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const rejection = async (url: string): Promise<string> => {
  const error: unknown = await checkRedis(url, 'test').then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(CannotOpen);
  expect((error as CannotOpen).message).not.toContain('s3cret');
  return (error as CannotOpen).message;
};

test.each([
  ['s3cret', 'not a URL'],
  ['http://user:s3cret@localhost:6379', 'begins with http://'],
  ['redis:///0', 'names no host'],
  ['redis://user:s3cret@localhost/main', 'number of a database'],
  ['redis://user:s3cret@127.0.0.1:1', 'nothing listens at 127.0.0.1:1'],
  ['redis://user:s3cret@nowhere.invalid', 'the host nowhere.invalid cannot be resolved'],
])('%s cannot be opened', async (url, cause) => {
  expect(await rejection(url)).toContain(cause);
});

test('a server that is not a Redis is reported as such', async () => {
  const at = await serve(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await rejection(`redis://:s3cret@${at}`)).toContain(`the server at ${at} is not a Redis`);
});

const serveInfo = (fields: string): Promise<string> =>
  serve((socket, request) => {
    const text = `# Server\r\n${fields}\r\n`;
    for (const command of request.match(/(?<=\r\n)(hello|info|auth|client|quit)(?=\r\n)/gi) ?? [])
      if (command.toLowerCase() === 'info') socket.write(`$${text.length}\r\n${text}\r\n`);
      else if (command.toLowerCase() === 'hello') socket.write("-ERR unknown command 'HELLO'\r\n");
      else socket.write('+OK\r\n');
  });

test.each([
  ['redis_version:5.0.14', 'has version 5.0.14; version 6.2 or newer is required'],
  ['redis_version:7.0.15\r\nredis_mode:cluster', 'is part of a cluster'],
  ['redis_version:7.0.15\r\nrole:slave', 'is a replica'],
])('a Redis with INFO %j is rejected', async (fields, cause) => {
  expect(await rejection(`redis://${await serveInfo(fields)}`)).toContain(cause);
});
