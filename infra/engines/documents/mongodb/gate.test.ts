import { MongoBulkWriteError, MongoServerError } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
import { translated } from './errors';
import { createGate, type Gate } from './gate';

class NoServer extends Error {}

let gate: Gate;
afterEach(() => gate?.close());

/** A look for a server that ends when the test says so. */
const open = () => {
  let found: () => void = () => undefined;
  let inVain: () => void = () => undefined;
  let looks = 0;
  gate = createGate(
    () => {
      looks += 1;
      return new Promise<void>((resolve, reject) => {
        found = resolve;
        inVain = () => reject(new NoServer('still none'));
      });
    },
    error => error instanceof NoServer,
  );
  return { looks: () => looks, found: () => found(), inVain: () => inVain() };
};

const away = async (): Promise<never> => {
  throw new NoServer('none found');
};
const never = (): Promise<never> => {
  throw new Error('this was to be turned away');
};
const settled = () => new Promise(resolve => setTimeout(resolve, 0));

test('an operation may take as long as an election does, and nobody is turned away meanwhile', async () => {
  const { looks } = open();
  let elected: (value: string) => void = () => undefined;
  const waiting = gate.pass(() => new Promise<string>(resolve => (elected = resolve)));
  expect(await gate.pass(async () => 'from a secondary')).toBe('from a secondary');
  elected('from the new primary');
  expect(await waiting).toBe('from the new primary');
  expect(looks()).toBe(0);
});

test('once no server was found, all are turned away at once, and one alone looks', async () => {
  const { looks } = open();
  await expect(gate.pass(away)).rejects.toThrow('none found');
  for (let n = 0; n < 1_000; n++) await expect(gate.pass(never)).rejects.toThrow('none found');
  expect(looks()).toBe(1);
});

test('all are let through again as soon as a server is found, however often the look was in vain', async () => {
  const { looks, found, inVain } = open();
  await expect(gate.pass(away)).rejects.toThrow(NoServer);
  inVain();
  while (looks() < 2) await settled();
  await expect(gate.pass(never)).rejects.toThrow(NoServer);
  found();
  await settled();
  expect(await gate.pass(async () => 'well')).toBe('well');
});

test('other errors shut nothing', async () => {
  const { looks } = open();
  await expect(gate.pass(() => Promise.reject(new TypeError('of the query')))).rejects.toThrow(TypeError);
  expect(await gate.pass(async () => 'well')).toBe('well');
  expect(looks()).toBe(0);
});

test.each([
  [
    'a command',
    new MongoServerError({
      message: 'available disk space of 10 bytes',
      code: 14_031,
      codeName: 'OutOfDiskSpace',
    }),
  ],
  [
    'a bulk',
    new MongoBulkWriteError(
      { message: 'available disk space of 10 bytes', code: 14_031, writeErrors: [] },
      Object.create(null),
    ),
  ],
])('a full disk of MongoDB, told to %s, is an unavailable engine with that cause', (_, refusal) => {
  const error = translated(refusal) as EngineUnavailable;
  expect(error).toBeInstanceOf(EngineUnavailable);
  expect(error.engine).toBe('documents');
  expect(error.message).toContain('its disk is full: available disk space of 10 bytes');
});
