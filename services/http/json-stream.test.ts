import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { Problem } from '../../contracts/problem/problem';
import { createTestApp } from '../../test/app';
import { until } from '../../test/until';
import { bind } from './binding';
import { JsonStream } from './json-stream';

const letters = endpoint({
  group: 'test',
  method: 'POST',
  path: '/letters',
  summary: 'letters',
  response: z.object({ letters: z.array(z.string()) }),
  errors: ['not_ready'],
});

const appOf = (parts: () => AsyncIterable<string>, checkResponses = false) =>
  createTestApp([bind(letters, async () => JsonStream.start(parts()))], { checkResponses });

it.each([false, true])('is one JSON text, whether it is compared with its schema or not: %s', async check => {
  const app = appOf(async function* () {
    yield '{"letters":["a"';
    yield ',"b"]}';
  }, check);
  const { status, body, headers } = await request(app).post('/letters');
  expect([status, body]).toEqual([200, { letters: ['a', 'b'] }]);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
});

it('is a problem when it fails before its first part', async () => {
  // eslint-disable-next-line require-yield
  const app = appOf(async function* () {
    throw Problem.unavailable('later', 1);
  });
  expect(await request(app).post('/letters')).toMatchObject({ status: 503, body: { code: 'not_ready' } });
});

it('cuts the connection when it fails in the middle, so that a client notices', async () => {
  const app = appOf(async function* () {
    yield '{"letters":["a"';
    throw new Error('disk failure');
  });
  await expect(request(app).post('/letters')).rejects.toThrow();
});

it.each([
  ['plain', ''],
  ['compressed', 'Accept-Encoding: gzip\r\n'],
])(
  'sends parts %s as they are computed, no faster than the client reads, and stops when it disconnects',
  async (_, accept) => {
    const large = JSON.stringify(randomBytes(50_000).toString('hex'));
    let made = 0;
    let ended = false;
    const app = appOf(async function* () {
      try {
        yield `{"letters":[${large}`;
        for (; made < 10_000; made++) yield `,${large}`;
      } finally {
        ended = true;
      }
    });
    const server = app.listen(0);
    const socket = connect((server.address() as AddressInfo).port);
    socket.write(`POST /letters HTTP/1.1\r\nHost: test\r\n${accept}Content-Length: 0\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
    // As much as sockets hold, and no more: a gigabyte is not computed for a client that does not read.
    let before = -1;
    await until(async () => {
      const still = made === before;
      before = made;
      await new Promise(resolve => setTimeout(resolve, 100));
      return still;
    });
    expect(made).toBeLessThan(1_000);
    socket.destroy();
    await until(() => ended);
    server.close();
  },
);
