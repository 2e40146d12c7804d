import type { Express } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { kept } from '../../contracts/http/kept';
import { createApp } from './app';
import { bind, WithHeaders } from './binding';

const paths = { group: 'Toy', path: '/page', summary: 'Answers what it is given', response: z.any() };
const get = endpoint({ ...paths, method: 'GET' });
const post = endpoint({ ...paths, method: 'POST' });

let answer: unknown;
const app: Express = createApp(
  [
    bind(get, async () => answer),
    bind(post, async () => new WithHeaders(answer, { 'X-Ledger-Position': '7' })),
  ],
  {
    logger: pino({ level: 'silent' }),
    trustedProxies: 0,
    checkResponses: false,
    authenticate: jest.fn(),
  },
);
const page = () => request(app).get('/page');

/** An answer that counts how often it is turned into JSON. */
function counting(rows: readonly string[]) {
  const toJSON = jest.fn(() => ({ rows }));
  return { toJSON };
}

it('serialises a kept answer once, and gives the same bytes to every request', async () => {
  const made = kept(counting(['Ann & Zoë', '価格']));
  answer = made;
  const [first, second] = [await page().expect(200), await page().expect(200)];
  const posted = await request(app).post('/page').expect(200);
  expect(first.text).toBe('{"rows":["Ann & Zoë","価格"]}');
  expect([second.text, posted.text]).toEqual([first.text, first.text]);
  expect(first.headers['content-length']).toBe(String(Buffer.byteLength(first.text)));
  expect(posted.headers['x-ledger-position']).toBe('7');
  expect(made.toJSON).toHaveBeenCalledTimes(1);
});

it('gives a new object bytes and an entity tag of its own, and equal content the same tag', async () => {
  const tags: (string | undefined)[] = [];
  for (const rows of [['a'], ['b'], ['a']]) {
    answer = kept({ rows });
    const { body, headers } = await page().expect(200);
    expect(body).toEqual({ rows });
    tags.push(headers['etag']);
  }
  expect(tags[0]).toMatch(/^"[\w-]{43}"$/);
  expect(tags[1]).not.toBe(tags[0]);
  expect(tags[2]).toBe(tags[0]);
});

it('serialises what is not kept every time', async () => {
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

describe('a client that has the answer', () => {
  it('is told so without being sent it again, until there is a new one', async () => {
    answer = kept({ rows: ['a'] });
    const etag = (await page()).headers['etag']!;
    const unchanged = await page().set('If-None-Match', `"other", ${etag}`).expect(304);
    expect(unchanged.text).toBe('');
    expect(unchanged.headers).toMatchObject({ etag, 'x-request-id': expect.any(String) });

    answer = kept({ rows: ['b'] });
    const renewed = await page()
      .set('If-None-Match', etag)
      .expect(200, { rows: ['b'] });
    expect(renewed.headers['etag']).not.toBe(etag);
  });

  it('is sent it when it asks for no cache, or by POST', async () => {
    answer = kept({ rows: ['a'] });
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
