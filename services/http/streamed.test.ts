import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { Problem } from '../../contracts/problem';
import { until } from '../../test/until';
import { createApp } from './app';
import { bind } from './binding';
import { Streamed } from './streamed';

const letters = endpoint({
  group: 'test',
  method: 'POST',
  path: '/letters',
  summary: 'letters',
  response: z.object({ letters: z.array(z.string()) }),
});

const appOf = (parts: () => AsyncIterable<string>, checkResponses = false) =>
  createApp([bind(letters, async () => Streamed.begun(parts()))], {
    logger: pino({ level: 'silent' }),
    trustedProxies: 0,
    checkResponses,
    authenticate: () => Promise.reject(new Problem(401, 'unauthenticated', 'nobody')),
  });

it.each([false, true])('is one JSON text, whether it is held against its schema or not: %s', async check => {
  const app = appOf(async function* () {
    yield '{"letters":["a"';
    yield ',"b"]}';
  }, check);
  const { status, body, headers } = await request(app).post('/letters');
  expect([status, body]).toEqual([200, { letters: ['a', 'b'] }]);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
});

it('is a problem when it fails before it has begun', async () => {
  // eslint-disable-next-line require-yield
  const app = appOf(async function* () {
    throw new Problem(503, 'not_ready', 'later');
  });
  expect(await request(app).post('/letters')).toMatchObject({ status: 503, body: { code: 'not_ready' } });
});

it('breaks off when it fails in the middle: a client never takes the part for the whole', async () => {
  const app = appOf(async function* () {
    yield '{"letters":["a"';
    throw new Error('the disk is gone');
  });
  await expect(request(app).post('/letters')).rejects.toThrow();
});

it('sends what is there while the rest is worked out, no faster than it is taken, and stops when nobody takes it', async () => {
  const large = JSON.stringify('x'.repeat(100_000));
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
  socket.write('POST /letters HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n');
  await once(socket, 'data');
  socket.pause();
  // As much as sockets hold, and no more: a gigabyte is not made for somebody who does not read.
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
});
