import type { Express } from 'express';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { immutable } from '../../contracts/http/immutable-response';
import { createTestApp } from '../../test/app';
import { bind } from './binding';
import { Reply } from './call';

const paths = {
  group: 'Toy',
  path: '/page',
  summary: 'Answers a given value',
  response: z.any(),
  responseHeaders: { 'X-Ledger-Position': 'Position' },
};
const get = endpoint({ ...paths, method: 'GET' });
const post = endpoint({ ...paths, method: 'POST' });

let answer: unknown;
const app: Express = createTestApp(
  [bind(get, async () => answer), bind(post, async () => new Reply(answer, { 'X-Ledger-Position': '7' }))],
  { checkResponses: false },
);
const page = () => request(app).get('/page');

/** A response that counts how often it is serialised. */
function counting(rows: readonly string[]) {
  const toJSON = jest.fn(() => ({ rows }));
  return { toJSON };
}

it('serialises an immutable response once, and sends the same bytes to every request', async () => {
  const made = immutable(counting(['Ann & Zoë', '価格']));
  answer = made;
  const [first, second] = [await page().expect(200), await page().expect(200)];
  const posted = await request(app).post('/page').expect(200);
  expect(first.text).toBe('{"rows":["Ann & Zoë","価格"]}');
  expect([second.text, posted.text]).toEqual([first.text, first.text]);
  expect(first.headers['content-length']).toBe(String(Buffer.byteLength(first.text)));
  expect(posted.headers['x-ledger-position']).toBe('7');
  expect(made.toJSON).toHaveBeenCalledTimes(1);
});

it('gives a new object its own bytes and entity tag, and equal content the same tag', async () => {
  const tags: (string | undefined)[] = [];
  for (const rows of [['a'], ['b'], ['a']]) {
    answer = immutable({ rows });
    const { body, headers } = await page().expect(200);
    expect(body).toEqual({ rows });
    tags.push(headers['etag']);
  }
  expect(tags[0]).toMatch(/^"[\w-]{43}"$/);
  expect(tags[1]).not.toBe(tags[0]);
  expect(tags[2]).toBe(tags[0]);
});

it('serialises other responses every time', async () => {
  const rows = ['a'];
  answer = { rows };
  await page().expect(200, { rows: ['a'] });
  rows.push('b');
  const { headers } = await page().expect(200, { rows: ['a', 'b'] });
  expect(headers).not.toHaveProperty('etag');
  for (const plain of [null, 'text', 7, []]) {
    answer = plain;
    expect((await page().expect(200)).text).toBe(JSON.stringify(plain));
  }
});

describe('a client that has cached the response', () => {
  it('gets a 304 until there is a new one', async () => {
    answer = immutable({ rows: ['a'] });
    const etag = (await page()).headers['etag']!;
    const unchanged = await page().set('If-None-Match', `"other", ${etag}`).expect(304);
    expect(unchanged.text).toBe('');
    expect(unchanged.headers).toMatchObject({ etag, 'x-request-id': expect.any(String) });

    answer = immutable({ rows: ['b'] });
    const renewed = await page()
      .set('If-None-Match', etag)
      .expect(200, { rows: ['b'] });
    expect(renewed.headers['etag']).not.toBe(etag);
  });

  it('gets the same head by HEAD, without the body', async () => {
    answer = immutable({ rows: ['a'] });
    const { headers } = await page().expect(200);
    const { date: _, ...head } = headers;
    const asked = await request(app).head('/page').set('X-Request-Id', head['x-request-id']!).expect(200);
    expect(asked.headers).toMatchObject(head);
    expect(asked.text).toBeUndefined();
    await request(app).head('/page').set('If-None-Match', head['etag']!).expect(304);
  });

  it('gets it again with no-cache, or by POST', async () => {
    answer = immutable({ rows: ['a'] });
    const etag = (await page()).headers['etag']!;
    await page()
      .set({ 'If-None-Match': etag, 'Cache-Control': 'no-cache' })
      .expect(200, { rows: ['a'] });
    const posted = await request(app)
      .post('/page')
      .set('If-None-Match', etag)
      .expect(200, { rows: ['a'] });
    expect(posted.headers).not.toHaveProperty('etag');
  });
});
