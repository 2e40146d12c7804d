import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { CannotOpen } from '../cannot-open';
import { checkRedis } from './open';

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

const serve = async (answer: (socket: Socket, asked: string) => void): Promise<string> => {
  const server = createServer(socket => socket.on('data', data => answer(socket, data.toString())));
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const refusal = async (url: string): Promise<string> => {
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
  ['redis://user:s3cret@nowhere.invalid', 'no host of the name nowhere.invalid'],
])('%s cannot be opened', async (url, cause) => {
  expect(await refusal(url)).toContain(cause);
});

test('what is not a Redis is called that', async () => {
  const at = await serve(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await refusal(`redis://:s3cret@${at}`)).toContain(`what answers at ${at} is not a Redis`);
});

const informed = (facts: string): Promise<string> =>
  serve((socket, asked) => {
    const text = `# Server\r\n${facts}\r\n`;
    for (const command of asked.match(/(?<=\r\n)(hello|info|auth|client|quit)(?=\r\n)/gi) ?? [])
      if (command.toLowerCase() === 'info') socket.write(`$${text.length}\r\n${text}\r\n`);
      else if (command.toLowerCase() === 'hello') socket.write("-ERR unknown command 'HELLO'\r\n");
      else socket.write('+OK\r\n');
  });

test.each([
  ['redis_version:5.0.14', 'is of version 5.0.14; needed is 6.2 or newer'],
  ['redis_version:7.0.15\r\nredis_mode:cluster', 'is part of a cluster'],
  ['redis_version:7.0.15\r\nrole:slave', 'is a replica'],
])('a Redis that says %j is refused', async (facts, cause) => {
  expect(await refusal(`redis://${await informed(facts)}`)).toContain(cause);
});
