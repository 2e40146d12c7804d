import request from 'supertest';
import { endpoint } from '../../contracts/http/endpoint';
import { Problem } from '../../contracts/problem/problem';
import { createTestApp } from '../../test/app';
import { bind } from './binding';
import { Reply, type RawBody } from './call';

const image = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/image',
  kind: 'raw',
  summary: 'An image',
  contentType: 'image/png',
  responseHeaders: { 'Cache-Control': 'How long it may be cached', 'Content-Type': 'Its type' },
  errors: ['not_ready'],
});

const appOf = (handle: () => Promise<RawBody | Reply<RawBody>>) => createTestApp([bind(image, handle)]);

it('sends bytes with the media type of the endpoint', async () => {
  const bytes = Buffer.from([0, 255, 1, 254]);
  const { body, headers } = await request(appOf(async () => bytes))
    .get('/image')
    .expect(200);
  expect(body).toEqual(bytes);
  expect(headers).toMatchObject({ 'content-type': 'image/png', 'content-length': '4' });
  expect(headers['x-request-id']).toBeTruthy();
});

it('streams bytes, with the headers, type and status of the handler', async () => {
  async function* parts() {
    yield Buffer.from('<sv');
    yield 'g/>';
  }
  const reply = new Reply(parts(), { 'Cache-Control': 'max-age=60', 'Content-Type': 'image/svg+xml' }, 202);
  const { text, body, headers } = await request(appOf(async () => reply))
    .get('/image')
    .expect(202);
  expect(text ?? String(body)).toBe('<svg/>');
  expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'max-age=60' });
});

it('is a problem when the handler refuses, and a cut connection when it fails in the middle', async () => {
  const refusing = appOf(async () => {
    throw Problem.unavailable('later', 1);
  });
  expect((await request(refusing).get('/image').expect(503)).body.code).toBe('not_ready');
  async function* failing() {
    yield 'half';
    throw new Error('disk failure');
  }
  await expect(request(appOf(async () => failing())).get('/image')).rejects.toThrow();
});
