import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { Problem } from '../../contracts/problem/problem';
import { createTestApp } from '../../test/app';
import { bind, type Binding } from './binding';
import { Reply } from './call';
import { problemDocument } from './problems';
import { writtenNumber } from '../../contracts/text/written-number';

const page = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/page',
  summary: 'A page',
  query: z.object({ size: writtenNumber.optional() }),
  response: z.strictObject({ rows: z.array(z.string()) }),
  responseHeaders: { 'X-Total': { description: 'Rows in all', required: true }, 'X-Note': 'A note' },
  errors: ['invoice_not_found'],
});

const act = endpoint({
  group: 'Toy',
  method: 'POST',
  path: '/act',
  summary: 'One of two actions',
  body: z.object({ action: z.enum(['count', 'name']) }),
  actions: { count: {}, name: {} },
  response: z.union([z.object({ count: z.int() }), z.object({ name: z.string() })]),
  actionResponses: { count: z.object({ count: z.int() }), name: z.object({ name: z.string() }) },
});

const appOf = (bound: Binding, checkResponses: boolean) => createTestApp([bound], { checkResponses });
const get = (handle: () => Promise<unknown>, checkResponses = true, query = '') =>
  request(appOf(bind(page, handle as never), checkResponses)).get(`/page${query}`);
const throwing = (error: Error) => async () => {
  throw error;
};
const documentOf = (problem: Problem, changed: object = {}) =>
  new Reply({ ...problemDocument(problem, 'r'), ...changed }, {}, problem.status);

const NOT_FOUND = new Problem('invoice_not_found', 'There is none.');
const UNDECLARED = new Problem('fee_not_found', 'There is none.');

it.each<[string, () => Promise<unknown>, number]>([
  ['a body of its schema', async () => new Reply({ rows: [] }, { 'X-Total': '0' }), 200],
  ['a declared problem', throwing(NOT_FOUND), 404],
  ['a declared problem as a reply', async () => documentOf(NOT_FOUND), 404],
  ['an engine that is unavailable', throwing(new EngineUnavailable('log', 'down')), 503],
])('lets %s pass', async (_, handle, status) => {
  await get(handle).expect(status);
});

it('lets a malformed request pass', () => get(async () => ({ rows: [] }), true, '?size=x').expect(400));

it.each<[string, () => Promise<unknown>, RegExp]>([
  ['another body', async () => new Reply({ rows: [1] }, { 'X-Total': '1' }), /rows/],
  ['a further field', async () => new Reply({ rows: [], more: 1 }, { 'X-Total': '0' }), /more/],
  ['a missing header', async () => ({ rows: [] }), /GET \/page sends no X-Total/],
  [
    'a problem that passes, without saying when',
    throwing(new Problem('engine_unavailable', 'down')),
    /engine_unavailable without Retry-After/,
  ],
  ['an undeclared header', async () => new Reply({ rows: [] }, { 'X-Other': '1' }), /X-Other/],
  ['an undeclared problem', throwing(UNDECLARED), /GET \/page does not declare the problem fee_not_found/],
  ['an undeclared problem as a reply', async () => documentOf(UNDECLARED), /fee_not_found/],
  ['a problem with another title', async () => documentOf(NOT_FOUND, { title: 'Oops' }), /table of errors/],
])('fails the test of %s, which production would send', async (_, handle, detail) => {
  const failed = await get(handle).expect(500);
  expect(failed.body.detail).toMatch(detail);
  expect((await get(handle, false)).status).not.toBe(500);
});

it('fails the test of an action that is answered as another one', async () => {
  const app = appOf(
    bind(act, async () => ({ count: 1 })),
    true,
  );
  await request(app).post('/act').send({ action: 'count' }).expect(200);
  const failed = await request(app).post('/act').send({ action: 'name' }).expect(500);
  expect(failed.body.detail).toMatch(/name/);
});
