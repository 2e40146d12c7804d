import { setTimeout as sleep } from 'node:timers/promises';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { Problem } from '../../contracts/problem/problem';
import { createTestApp } from '../../test/app';
import { until } from '../../test/until';
import { bind } from './binding';
import { Reply } from './call';
import { createPositionReads, MAX_WRITERS } from './position-reads';

const own = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/own',
  summary: 'Waits for a position',
  minPosition: true,
  response: z.object({}),
});

/** A ledger that ends at 100, of which all up to 50 is folded; reads of what follows wait. */
function open(max: number) {
  const state = { end: 100, folded: 50, waiting: 0, questions: 0 };
  const reads = createPositionReads(async () => {
    state.questions += 1;
    return sleep(20, state.end);
  }, max);
  const app = createTestApp(
    [
      bind(own, async ({ minPosition, signal }) => {
        if (minPosition === null || minPosition <= state.folded) return {};
        state.waiting += 1;
        await until(() => signal.aborted || minPosition <= state.folded);
        state.waiting -= 1;
        if (minPosition <= state.folded) return {};
        throw Problem.unavailable('Not folded yet.', 1);
      }),
    ],
    { trustedProxies: 1, positions: reads },
  ).listen(0, '127.0.0.1');
  const ask = async (ip: string, position?: number): Promise<request.Response> =>
    request(app)
      .get('/own')
      .set('X-Forwarded-For', ip)
      .set(position === undefined ? {} : { 'X-Min-Position': String(position) });
  return { state, ask, close: () => new Promise(resolve => app.close(resolve)) };
}

const [ATTACKER, HONEST] = ['192.0.2.1', '198.51.100.1'];

it('a position that nothing was recorded at is answered at once, by one question for all who ask', async () => {
  const { state, ask, close } = open(8);
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask(ATTACKER, 999_999_999)));
  for (const { status, body } of answers)
    expect([status, body.code, body.errors[0].code]).toEqual([400, 'invalid_request', 'unknown_position']);
  expect(state.questions).toBeLessThan(answers.length);
  expect(state.waiting).toBe(0);
  expect((await ask(HONEST, 50)).status).toBe(200);
  await close();
});

it('a position that is recorded only now is known: the end is asked for again', async () => {
  const { state, ask, close } = open(8);
  expect((await ask(HONEST, 101)).status).toBe(400);
  [state.end, state.folded] = [101, 101];
  expect((await ask(HONEST, 101)).status).toBe(200);
  await close();
});

it('one caller waits in a quarter of the places, and another caller gets one while it does', async () => {
  const { state, ask, close } = open(8);
  let refused = 0;
  const attack = Array.from({ length: 30 }, async () => {
    const answer = await ask(ATTACKER, 60);
    if (answer.status === 503) refused += 1;
    return answer;
  });
  await until(() => state.waiting === 2 && refused === 28);
  const honest = ask(HONEST, 60);
  await until(() => state.waiting === 3);
  state.folded = 60;
  expect((await honest).status).toBe(200);
  const statuses = (await Promise.all(attack)).map(({ status }) => status);
  expect(statuses.filter(status => status === 200)).toHaveLength(2);
  await close();
});

it('once all places are taken the newest of who has most is given to who has none', async () => {
  const { state, ask, close } = open(8);
  const attack = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].flatMap(ip => [
    ask(ip, 60),
    ask(ip, 60),
  ]);
  await until(() => state.waiting === 8);
  const honest = ask(HONEST, 60);
  const refused = await Promise.race(attack);
  expect(refused.status).toBe(503);
  expect(refused.headers['retry-after']).toBe('1');
  state.folded = 60;
  expect((await honest).status).toBe(200);
  await Promise.all(attack);
  await close();
});

it('reads without a position need no place', async () => {
  const { state, ask, close } = open(1);
  const waiting = ask(HONEST, 60);
  await until(() => state.waiting === 1);
  expect((await ask(HONEST)).status).toBe(200);
  state.folded = 60;
  await waiting;
  await close();
});

/** An endpoint that changes something, at position 60, and one that says which position it has to read. */
function ownChanges() {
  const access = { group: 'Toy', summary: 'Own changes', auth: 'bearer', role: 'viewer' } as const;
  const changing = endpoint({
    ...access,
    method: 'POST',
    path: '/own',
    idempotency: true,
    body: z.object({}),
    response: z.object({}),
    responseHeaders: { 'X-Ledger-Position': 'The position after the change' },
  });
  const reading = endpoint({
    ...access,
    method: 'GET',
    path: '/own',
    minPosition: true,
    response: z.object({ minPosition: z.int().nullable() }),
  });
  const app = createTestApp(
    [
      bind(changing, async () => new Reply({}, { 'X-Ledger-Position': '60' })),
      bind(reading, async ({ minPosition }) => ({ minPosition })),
    ],
    {
      positions: createPositionReads(async () => 100, 8),
      idempotency: (_call, next) => next(),
      authenticate: {
        bearer: async token => ({
          subject: token!,
          issuer: 'instance',
          role: 'admin',
          secureSessionAge: null,
        }),
      },
    },
  );
  const positionOf = async (caller: string, asked?: number): Promise<number | null> => {
    const headers = {
      authorization: caller,
      ...(asked !== undefined && { 'x-min-position': String(asked) }),
    };
    return ((await request(app).get('/own').set(headers)).body as { minPosition: number | null }).minPosition;
  };
  const change = async (caller: string): Promise<void> => {
    await request(app).post('/own').set('authorization', caller).send({}).expect(200);
  };
  return { positionOf, change };
}

it('what a caller with a token has recorded is in its reads, although they name no position', async () => {
  const { positionOf, change } = ownChanges();
  expect(await positionOf('ann')).toBeNull();
  await change('ann');
  expect(await positionOf('ann')).toBe(60);
  expect([await positionOf('ann', 50), await positionOf('ann', 70)]).toEqual([60, 70]);
  expect(await positionOf('bob')).toBeNull();
});

it('changes of more callers than are remembered take nothing from one that reads meanwhile, nor from one that names its position', async () => {
  const { positionOf, change } = ownChanges();
  for (const caller of ['ann', 'bob']) await change(caller);
  for (let n = 0; n < MAX_WRITERS; n += 1) {
    await change(`stranger ${n}`);
    if (n % 100 === 0) expect(await positionOf('ann')).toBe(60);
  }
  expect([await positionOf('ann'), await positionOf('bob'), await positionOf('bob', 60)]).toEqual([
    60,
    null,
    60,
  ]);
});
