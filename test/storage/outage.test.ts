import { pino } from 'pino';
import request from 'supertest';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { openEngines } from '../../infra/engines/engines';
import { storage } from '../../infra/program/features/storage';
import { startTestProgram, type TestProgram } from '../program';
import { keysOf, readRequest, writeRequest } from './device';

let isDown = false;
const failing =
  <Given extends readonly unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
  async (...given: Given): Promise<Result> => {
    if (isDown) throw new EngineUnavailable('event store', 'no server');
    return call(...given);
  };

const lines: Record<string, unknown>[] = [];
let program: TestProgram;
beforeAll(async () => {
  program = await startTestProgram({
    features: [storage],
    logger: pino(
      { level: 'info' },
      { write: line => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    ),
    async open(...given) {
      const engines = await openEngines(...given);
      const { append, head } = engines.store;
      return { ...engines, store: { ...engines.store, append: failing(append), head: failing(head) } };
    },
  });
});
afterAll(() => {
  isDown = false;
  return program?.stop();
});

const soon = (): number => Math.floor(Date.now() / 1_000) + 60;
const write = (seed: string, seq: number) =>
  request(program.app)
    .post('/storage/write')
    .send(writeRequest(keysOf(seed), seq, Buffer.from('value'), soon()));

it('who calls again and again during an outage adds no lines to the log, and somebody else goes on after it', async () => {
  await write('honest', 0).expect(200);
  isDown = true;
  for (let call = 0; call < 50; call++) await write(`stranger ${call}`, 0).expect(503);
  await request(program.app)
    .post('/storage/read')
    .send(readRequest(keysOf('honest'), soon()))
    .expect(200);
  isDown = false;
  await write('honest', 1).expect(200);
  await program.deps.engines.store.head();

  expect(lines.filter(line => 'requestId' in line)).toEqual([]);
  const messages = lines.filter(line => 'engine' in line).map(({ msg }) => msg);
  expect(messages).toEqual(['engine does not answer', 'engine answers again']);
});
