import { EventEmitter } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { joinedFor } from './answer-memory';

const parts = (character: string, length = 50_000): Buffer[] => [
  Buffer.alloc(length - 1, character),
  Buffer.from('.'),
];

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

test('answers arrive whole at clients that read slowly, while others hang up', async () => {
  const LENGTH = 900_000;
  const server = createServer((request, response) =>
    response.end(joinedFor(response, parts(request.url!.slice(1), LENGTH))),
  ).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = (character: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) =>
      get({ port, host: '127.0.0.1', path: `/${character}`, agent: false }, resolve).once('error', reject),
    );
  const read = async (answer: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };
  for (let round = 0; round < 4; round++) {
    // Nothing is read of these yet but what the buffers of the sockets hold.
    const slow = await Promise.all(['a', 'b', 'c', 'd'].map(ask));
    (await ask('x')).destroy();
    const quick = await Promise.all(['e', 'f', 'g'].map(async character => read(await ask(character))));
    const texts = [...(await Promise.all(slow.map(read))), ...quick];
    expect(texts.map(text => [text.length, new Set(text).size, text[0]])).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(character => [LENGTH, 2, character]),
    );
  }
  await new Promise(resolve => server.close(resolve));
});
