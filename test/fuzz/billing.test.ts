import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Pool } from 'undici';
import { z } from 'zod';
import { adminRequest } from '../../contracts/http/billing/actions';
import { feeBatch } from '../../contracts/http/billing/fees';
import { createAppServer } from '../../services/http/server';
import { fee, openInstance, type TestInstance } from '../billing/instance';
import { wrongActions, wrongFees, type WrongRequest } from './requests';
import type { Schema } from './wrong-values';
import { scaled, SEED } from '../random';

/** A small dose in `npm test`. */
const REQUESTS = scaled(1) === 1 ? 750 : scaled(10_000);
const CONCURRENCY = 64;

let instance: TestInstance;
let folder: string;
let server: Server;
let pool: Pool;
let token: string;
beforeAll(async () => {
  instance = await openInstance();
  token = await instance.token({ role: 'owner', secure: true });
  await instance.record([fee({ id: 'there' }), fee({ id: 'fuzz', collection_status: 'pending' })]);
  folder = await mkdtemp(join(tmpdir(), 'tidemark-fuzz-'));
  const socketPath = join(folder, 'http');
  server = createAppServer(instance.app).listen(socketPath);
  await once(server, 'listening');
  pool = new Pool('http://fuzz', { socketPath, connections: 4, pipelining: 16 });
});
afterAll(async () => {
  await pool.close();
  await new Promise(resolve => server.close(resolve));
  await instance.close();
  await rm(folder, { recursive: true });
});

const schemaOf = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;

async function send(path: string, body: string): Promise<{ status: number; text: string }> {
  const answer = await pool.request({
    method: 'POST',
    path,
    // Allows several requests on one connection at a time.
    idempotent: true,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

/** There is at least one error, and every error names an invalid field. */
async function expectRefused({ path, body, pointers }: WrongRequest): Promise<void> {
  const { status, text } = await send(path, body);
  const { errors = [] } = JSON.parse(text) as { errors?: { pointer: string }[] };
  const named = errors.map(({ pointer }) => pointer);
  const expected = named.filter(each =>
    pointers.some(wrong => each === wrong || each.startsWith(`${wrong}/`)),
  );
  if (status !== 400 || expected.length === 0 || expected.length < named.length)
    throw new Error(`seed ${SEED}: ${path} ${body.slice(0, 500)}\nanswered ${status} ${text.slice(0, 500)}`);
}

async function each<Case>(cases: readonly Case[], check: (one: Case) => Promise<void>): Promise<void> {
  const left = cases.values();
  const worker = async (): Promise<void> => {
    for (const one of left) await check(one);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

it(`refuses ${REQUESTS} invalid requests, names the invalid fields, and writes nothing`, async () => {
  const head = await instance.store.head();
  const wrong = fc.oneof(
    { weight: 3, arbitrary: wrongActions(schemaOf(adminRequest)) },
    { weight: 1, arbitrary: wrongFees(schemaOf(feeBatch)) },
  );
  const BATCH = 5_000;
  for (let done = 0; done < REQUESTS; done += BATCH)
    await each(
      fc.sample(wrong, { numRuns: Math.min(BATCH, REQUESTS - done), seed: SEED + done }),
      expectRefused,
    );
  expect(await instance.store.head()).toBe(head);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

it('refuses any JSON with a 400, and writes nothing', async () => {
  const head = await instance.store.head();
  const anything = fc.oneof(
    fc.json({ maxDepth: 6 }),
    fc.json().map(text => `{"action":"generate_invoice","billingPeriod":${text}}`),
    fc.json().map(text => `{"fees":${text}}`),
    fc.json().map(text => `{"fees":[${text}]}`),
    fc.json().map(text => text.slice(0, -1)),
    fc.nat({ max: 3_000 }).map(depth => `${'['.repeat(depth)}${']'.repeat(depth)}`),
    fc.string({ unit: 'binary' }),
  );
  const cases = fc.sample(fc.tuple(fc.constantFrom('/api/instance-admin', '/api/fees'), anything), {
    numRuns: Math.ceil(REQUESTS / 10),
    seed: SEED,
  });
  await each(cases, async ([path, body]) => {
    const { status, text } = await send(path, body);
    if (status !== 400)
      throw new Error(`seed ${SEED}: ${path} ${body.slice(0, 500)}\nanswered ${status} ${text}`);
  });
  expect(await instance.store.head()).toBe(head);
});
