import { EventEmitter, once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { joinedFor } from './answer-memory';

const parts = (character: string, length = 50_000): Buffer[] => [
  Buffer.alloc(length - 1, character),
  Buffer.from('.'),
];

const server = createServer();
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test('the memory of an answer is used again once it was sent, and not before', () => {
  const sent = new EventEmitter();
  const first = joinedFor(sent, parts('a'));
  const second = joinedFor(new EventEmitter(), parts('b'));
  expect(first.buffer).not.toBe(second.buffer);
  expect(first.toString()).toBe(`${'a'.repeat(49_999)}.`);
  sent.emit('finish');
  const third = joinedFor(new EventEmitter(), parts('c', 40_000));
  expect(third.buffer).toBe(first.buffer);
  expect(third.toString()).toBe(`${'c'.repeat(39_999)}.`);
  expect(joinedFor(new EventEmitter(), parts('d')).buffer).not.toBe(first.buffer);
});

test.each([1, 2, 16_383, 2 ** 20, 2 ** 20 + 1])('an answer of %i bytes is complete', length => {
  const response = new EventEmitter();
  expect(joinedFor(response, parts('a', length)).equals(Buffer.concat(parts('a', length)))).toBe(true);
  response.emit('finish');
});

test('answers arrive whole at a client that reads slowly, while others are answered and hang up', async () => {
  const LENGTH = 900_000;
  server.on('request', (request, response) =>
    response.end(joinedFor(response, parts(request.url!.slice(1), LENGTH))),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (character: string): Promise<IncomingMessage> => {
    const request = get({ port, host: '127.0.0.1', path: `/${character}`, agent: false });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer;
  };
  // More than the buffers of a socket hold: the last ones wait in the program.
  const slow = [...'abcdefghijklmnop'];
  const socket = connect(port, '127.0.0.1');
  for (const character of slow) socket.write(`GET /${character} HTTP/1.1\r\nHost: test\r\n\r\n`);
  for (let round = 0; round < 4; round++) {
    (await ask('x')).destroy();
    const quick = await Promise.all(['q', 'r', 's'].map(async character => text(await ask(character))));
    expect(quick).toEqual(['q', 'r', 's'].map(whole));
  }
  let received = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    received += chunk as string;
    if (received.length > slow.length * LENGTH && received.endsWith('.')) break;
  }
  const bodies = received.split(/HTTP\/1\.1 200 OK(?:\r\n.+)+\r\n\r\n/).slice(1);
  expect(bodies.map(body => [body.length, body[0], new Set(body).size])).toEqual(
    slow.map(character => [LENGTH, character, 2]),
  );

  function whole(character: string): string {
    return `${character.repeat(LENGTH - 1)}.`;
  }
});
