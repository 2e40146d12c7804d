import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Express } from 'express';
import request from 'supertest';
import { createTestApp } from '../../test/app';
import { compiledPath } from '../engines/compiled-path';
import { consolePages } from './pages';

const MODULES = compiledPath('infra/console/browser');

let app: Express;
beforeAll(() => {
  app = createTestApp([], { routers: [consolePages(MODULES)] });
});

it('runs its own modules and nothing else, and is in no frame', async () => {
  const { headers, text } = await request(app).get('/console').expect(200);
  const policy = headers['content-security-policy']!;
  for (const part of [
    "default-src 'none'",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
    expect(policy).toContain(part);
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(text).not.toMatch(/<style|style=|onclick|https?:/);
  const inline = [...text.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, script]) => script!);
  expect(inline).toHaveLength(1);
  expect(policy).toContain(`'sha256-${createHash('sha256').update(inline[0]!).digest('base64')}'`);
});

/** What a page or a module loads. */
function loadedBy(path: string, text: string, imports: Readonly<Record<string, string>>): string[] {
  const named = [...text.matchAll(/\b(?:import|export)\s*\{[^}]*\}\s*from\s*["']([^"']+)["']/g)].map(
    ([, name]) => name!,
  );
  return named.map(name => imports[name] ?? new URL(name, `http://localhost${path}`).pathname);
}

it('serves everything that it loads, and no other file', async () => {
  const { text } = await request(app).get('/console').expect(200);
  const { imports } = JSON.parse(/<script type="importmap">([^<]+)/.exec(text)![1]!) as {
    imports: Record<string, string>;
  };
  const loaded = new Set([...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path!));
  for (const path of loaded) {
    const response = await request(app).get(path);
    const type = expect.stringMatching(/^text\/(css|javascript); charset=utf-8$/);
    expect([path, response.status, response.headers['content-type']]).toEqual([path, 200, type]);
    for (const each of loadedBy(path, response.text ?? String(response.body), imports)) loaded.add(each);
  }
  const modules = readdirSync(MODULES, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.js'),
  );
  const served = [...loaded].filter(path => path.startsWith('/console/assets/'));
  expect(served.sort()).toEqual(
    [
      ...modules.map(name => `/console/assets/${name.slice(0, -'.js'.length)}`),
      ...Object.values(imports),
    ].sort(),
  );
  for (const name of ['', 'main.js', 'main.js.map', '..%2fpages', 'library/preact/package.json'])
    await request(app).get(`/console/assets/${name}`).expect(404);
});
