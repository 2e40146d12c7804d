import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Express } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { z } from 'zod';
import { ERROR_EXPLANATIONS } from '../../../contracts/problem/error-explanations';
import { ERRORS } from '../../../contracts/problem/errors';
import { endpoint } from '../../../contracts/http/endpoint';
import { createTestApp } from '../../../test/app';
import { until } from '../../../test/until';
import { bind } from '../binding';
import { html } from './html';
import { writtenNumber } from '../../../contracts/text/written-number';

const limited = endpoint({
  group: 'Toy & more',
  method: 'GET',
  path: '/limited',
  summary: 'Takes a number',
  query: z.object({ n: writtenNumber }),
  response: z.object({}),
});

const free = endpoint({
  group: 'Toy & more',
  method: 'GET',
  path: '/free',
  summary: 'Takes nothing',
  response: z.object({}),
});

let app: Express;
beforeAll(() => {
  app = createTestApp([bind(limited, async () => ({})), bind(free, async () => ({}))]);
});

it('is a line of the log of a terminal, and what it loads is none', async () => {
  const lines: string[] = [];
  const logger = pino({}, { write: line => void lines.push((JSON.parse(line) as { msg: string }).msg) });
  const logged = createTestApp([], { logger, logRequests: true });
  for (const path of ['page.css', 'start.js', 'assets/swagger-ui-bundle.js'])
    await request(logged).get(`/docs/${path}`).expect(200);
  await request(logged).get('/favicon.ico').expect(204);
  await request(logged).get('/docs').expect(200);
  await until(() => lines.some(line => line.startsWith('GET /docs 200')));
  expect(lines).toHaveLength(1);
});

it('is not logged for what the program calls itself, unless that fails', async () => {
  const lines: string[] = [];
  const logger = pino({}, { write: line => void lines.push((JSON.parse(line) as { msg: string }).msg) });
  const bindings = [bind(limited, async () => ({})), bind(free, async () => ({}))];
  const ownPaths = new Set(['/free', '/limited']);
  const logged = createTestApp(bindings, { logger, logRequests: true, ownPaths });
  await request(logged).get('/free').expect(200);
  await request(logged).get('/limited').query({ n: 'x' }).expect(400);
  await until(() => lines.some(line => line.startsWith('GET /limited 400')));
  expect(lines).toHaveLength(1);
});

describe('the page of a problem', () => {
  it('is where the type of a problem document leads', async () => {
    const { body } = await request(app).get('/limited?n=x').expect(400);
    const page = await request(app)
      .get(body.type as string)
      .expect(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.text).toContain(ERRORS.invalid_request.title);
    expect(page.text).toContain(html`${ERROR_EXPLANATIONS.invalid_request}`.text);
    expect(page.text).toContain('href="/docs#/Toy%20%26%20more/getLimited"');
    expect(page.text).not.toContain('getFree');
  });

  it('says when the same request may succeed', async () => {
    expect((await request(app).get('/problems/rate_limited').expect(200)).text).toContain('Retry-After');
    const { text } = await request(app).get('/problems/fee_exists').expect(200);
    expect(text).not.toContain('Retry-After');
    // It is the result of one fee of many, never the answer to all.
    expect(text).toMatch(/it is the result of one fee of\s+<code>POST \/api\/fees<\/code>/);
    expect(text).not.toContain('does not exist');
  });

  it('is found in a list by status, and by code within one', async () => {
    const { text } = await request(app).get('/problems').expect(200);
    const rows = [...text.matchAll(/<td>(\d{3})<\/td>\s*<td><a href="\/problems\/(\w+)"/g)];
    const listed = rows.map(([, status, code]) => `${status} ${code}`);
    expect(listed).toHaveLength(Object.keys(ERRORS).length);
    expect(listed).toEqual([...listed].sort());
  });

  it('exists for every code, and for no other', async () => {
    const list = (await request(app).get('/problems').expect(200)).text;
    for (const code of Object.keys(ERRORS)) {
      expect(list).toContain(`href="/problems/${code}"`);
      await request(app).get(`/problems/${code}`).expect(200);
    }
    for (const code of ['nonsense', 'toString', '__proto__'])
      expect((await request(app).get(`/problems/${code}`).expect(404)).body.code).toBe('not_found');
  });

  it.each(['/problems', '/problems/internal'])(
    '%s runs no script, and loads nothing from elsewhere',
    async path => {
      const { headers, text } = await request(app).get(path).expect(200);
      expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'");
      expect(text).not.toMatch(/<script|<style|style=|onclick|https?:/);
      const [, sheet] = /<link rel="stylesheet" href="([^"]+)"/.exec(text)!;
      expect((await request(app).get(sheet!).expect(200)).headers['content-type']).toMatch(/^text\/css/);
    },
  );
});

describe('a path that does not exist', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  it('is a page in a browser, with the code of the problem', async () => {
    const { headers, text } = await request(app).get('/nonsense').set('Accept', BROWSER).expect(404);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers.vary).toMatch(/\bAccept\b/);
    expect(text).toContain('This path does not exist.');
    expect(text).toContain('href="/problems/not_found"');
    expect(text).toContain(headers['x-request-id']);
  });

  it.each(['*/*', 'application/json', 'application/json, text/html', 'text/html;q=0.5, */*', 'image/png'])(
    'is a problem document for those who accept %s',
    async accept => {
      const { headers, body } = await request(app).get('/nonsense').set('Accept', accept).expect(404);
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(body).toMatchObject({ code: 'not_found' });
    },
  );

  it('is one where an operation is concerned, also in a browser', async () => {
    const { body } = await request(app).get('/limited?n=x').set('Accept', BROWSER).expect(400);
    expect(body).toMatchObject({ code: 'invalid_request' });
  });
});

it('of the package of the documentation only what its page loads is served', async () => {
  const { text } = await request(app).get('/docs').expect(200);
  const loaded = [...text.matchAll(/(?:href|src)="(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  for (const path of loaded) await request(app).get(path).expect(200);
  expect(loaded).toHaveLength(2);
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const others = readdirSync(folder).filter(name => !loaded.includes(`/docs/assets/${name}`));
  expect(others.length).toBeGreaterThan(10);
  for (const name of [...others, '..%2fpackage.json', ''])
    await request(app).get(`/docs/assets/${name}`).expect(404);
});

it('explains each code in sentences', () => {
  for (const [code, text] of Object.entries(ERROR_EXPLANATIONS))
    expect([code, text]).toEqual([code, expect.stringMatching(/^[A-Z].*\.$/s)]);
});

it('escapes what is put into a page, but for markup', () => {
  const name = `<b title="it's">&`;
  expect(html`<p>${name}${html`<i>${1}</i>`}</p>`.text).toBe(
    '<p>&lt;b title=&quot;it&#39;s&quot;&gt;&amp;<i>1</i></p>',
  );
});
