import { randomBytes } from 'node:crypto';
import type { Express } from 'express';
import request, { type Response } from 'supertest';
import { STORAGE_KEY_WRITES, STORAGE_READS, STORAGE_WRITES } from '../../contracts/http/storage';
import { quotaSetting } from '../../infra/config/settings';
import { storage } from '../../infra/program/features/storage';
import { startTestProgram, type TestProgram, type TestProgramOptions } from '../program';
import * as device from './device';

/** The clock stands still, so that no signature expires while a slow machine runs this. */
const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const now = NOW / 1_000;
const soon = now + 60;
type Keys = ReturnType<typeof device.keysOf>;
const readRequest = (keys: Keys, time = soon) => device.readRequest(keys, time);
const writeRequest = (keys: Keys, seq: number, value: Buffer, time = soon) =>
  device.writeRequest(keys, seq, value, time);

const MAX_VALUE_BYTES = 1_024;

type Settings = Readonly<Record<string, string>>;
const start = (settings?: Settings, more?: Partial<TestProgramOptions>) =>
  startTestProgram({
    features: [storage],
    settings: { STORAGE_VALUE_KIBIBYTES: String(MAX_VALUE_BYTES / 1_024), ...settings },
    clock: () => new Date(NOW),
    ...more,
  });

let program: TestProgram;
let app: Express;
beforeAll(async () => {
  program = await start();
  ({ app } = program);
});
const others: TestProgram[] = [];
afterAll(async () => {
  for (const each of [...others, program]) await each.stop();
});

/** A program with data of its own. */
async function own(settings: Settings): Promise<TestProgram> {
  const other = await start(settings);
  others.push(other);
  return other;
}

/** The API of another program on the same data. */
async function appWith(settings: Settings): Promise<Express> {
  const other = await start(settings, { folder: program.folder, roles: ['api'] });
  others.push(other);
  return other.app;
}

const post = async (path: string, body: object, to = app): Promise<Response> =>
  request(to).post(path).send(body);
const read = (body: object, to?: Express) => post('/storage/read', body, to);
const write = (body: object, to?: Express) => post('/storage/write', body, to);

const entry = (seq: number, value: Buffer | null) => ({ seq, value: value && value.toString('base64') });
const readAs = (seq: number, value: Buffer | null) => ({ ok: true, value: entry(seq, value) });
const updated = (seq: number, value: Buffer) => ({ ok: true, updated: true, current: entry(seq, value) });
const refused = (seq: number, value: Buffer | null) => ({
  ok: true,
  updated: false,
  current: entry(seq, value),
});

let names = 0;
/** Keys that nobody has used. */
const newKeys = (): Keys => device.keysOf(`keys ${names++}`);
const [first, second, third] = [1, 2, 3].map(n => Buffer.from(`value ${n}`)) as [Buffer, Buffer, Buffer];

/** The stream of the key as it is stored. */
async function stored({ publicKey }: { readonly publicKey: Buffer }): Promise<object[]> {
  const found: object[] = [];
  for await (const { data } of program.deps.engines.store.readStream(
    `storageEntry-${publicKey.toString('hex')}`,
  ))
    found.push(data);
  return found;
}

describe('keys', () => {
  it('of a stranger are a quarter of what the others leave, and who has one still writes it', async () => {
    const { app: limited } = await own({ MAX_STORAGE_KEYS: '8', TRUSTED_PROXIES: '1' });
    const writeFrom = (from: string, keys: Keys, seq = 0) =>
      request(limited)
        .post('/storage/write')
        .set('X-Forwarded-For', from)
        .send(writeRequest(keys, seq, first));
    const [stranger, honest] = ['203.0.113.1', '192.0.2.1'];
    const [strangers, mine] = [newKeys(), newKeys()];
    expect((await writeFrom(stranger, strangers)).body).toEqual(updated(1, first));
    // A quarter of eight. Writing them again makes them no one else's.
    const other = newKeys();
    await writeFrom(stranger, other);
    expect((await writeFrom(stranger, strangers, 1)).body).toEqual(updated(2, first));
    const refusedWrite = await writeFrom(stranger, newKeys());
    expect(refusedWrite.status).toBe(429);
    expect(refusedWrite.body).toMatchObject({ code: 'too_many_storage_keys' });
    expect(refusedWrite.headers['retry-after']).toBe('3600');

    expect((await writeFrom(honest, mine)).body).toEqual(updated(1, first));
    for (let n = 1; n < 6; n += 1)
      expect((await writeFrom(`198.51.100.${n}`, newKeys())).body).toEqual(updated(1, first));
    expect((await writeFrom('198.51.100.9', newKeys())).status).toBe(429);
    expect((await writeFrom(honest, mine, 1)).body).toEqual(updated(2, first));
    // A read of a key that is not stored is as before.
    expect((await read(readRequest(newKeys()), limited)).body).toEqual(readAs(0, null));
  });

  it('of a stranger are a quarter of what the others leave in bytes too, and who has one still writes it', async () => {
    const { app: limited } = await own({
      MAX_STORAGE_MEBIBYTES: '1',
      STORAGE_VALUE_KIBIBYTES: '256',
      TRUSTED_PROXIES: '1',
    });
    const writeFrom = async (from: string, keys: Keys, seq: number, kibibytes: number) => {
      const value = randomBytes(kibibytes * 1_024);
      const { status, body } = await request(limited)
        .post('/storage/write')
        .set('X-Forwarded-For', from)
        .send(writeRequest(keys, seq, value));
      return status === 200 ? (body as { updated: boolean }).updated : (body as { code: string }).code;
    };
    const [stranger, honest] = ['203.0.113.1', '192.0.2.1'];
    const [strangers, mine] = [newKeys(), newKeys()];
    expect(await writeFrom(honest, mine, 0, 1)).toBe(true);
    // A quarter of the 1,020 KiB that are left is 255, and 200 count as 256.
    expect(await writeFrom(stranger, strangers, 0, 200)).toBe('too_many_storage_bytes');
    expect(await writeFrom(stranger, strangers, 0, 128)).toBe(true);
    expect(await writeFrom(stranger, newKeys(), 0, 100)).toBe('too_many_storage_bytes');
    expect(await writeFrom(stranger, newKeys(), 0, 64)).toBe(true);
    expect(await writeFrom(stranger, strangers, 1, 129)).toBe('too_many_storage_bytes');
    expect(await writeFrom(stranger, strangers, 1, 127)).toBe(true);

    expect(await writeFrom(honest, mine, 1, 128)).toBe(true);
    for (let n = 1; n < 40; n += 1) await writeFrom(`198.51.100.${n}`, newKeys(), 0, 64);
    expect(await writeFrom('198.51.100.77', newKeys(), 0, 64)).toBe('too_many_storage_bytes');
    expect(await writeFrom(honest, mine, 2, 120)).toBe(true);
    // What grew an entry is of who made it grow, and there is room again once somebody has less.
    expect(await writeFrom(stranger, strangers, 2, 1)).toBe(true);
    expect(await writeFrom('198.51.100.78', newKeys(), 0, 16)).toBe(true);
  });
});

describe('an owner', () => {
  it('reads nothing under a key that was never written', async () => {
    expect((await read(readRequest(newKeys()))).body).toEqual(readAs(0, null));
  });

  it('reads each write at once', async () => {
    const keys = newKeys();
    for (const [seq, value] of [first, second, third].entries()) {
      expect((await write(writeRequest(keys, seq, value))).body).toEqual(updated(seq + 1, value));
      expect((await read(readRequest(keys))).body).toEqual(readAs(seq + 1, value));
    }
  });

  it('has a value for each key', async () => {
    const [one, other] = [newKeys(), newKeys()];
    await write(writeRequest(one, 0, first));
    expect((await read(readRequest(other))).body).toEqual(readAs(0, null));
  });

  it('is given the present state when somebody else has written since the read', async () => {
    const keys = newKeys();
    await write(writeRequest(keys, 0, first));
    await write(writeRequest(keys, 1, second));
    for (const seq of [0, 1, 3, 2 ** 32 - 1]) {
      const { status, body } = await write(writeRequest(keys, seq, third));
      expect([status, body]).toEqual([200, refused(2, second)]);
    }
    expect(await stored(keys)).toHaveLength(2);
  });

  it('may repeat a write whose answer was lost: it is done once', async () => {
    const keys = newKeys();
    for (let attempt = 0; attempt < 3; attempt++)
      expect((await write(writeRequest(keys, 0, first, soon + attempt))).body).toEqual(updated(1, first));
    expect(await stored(keys)).toHaveLength(1);
    await write(writeRequest(keys, 1, second));
    expect((await write(writeRequest(keys, 0, first))).body).toEqual(refused(2, second));
  });

  it('may write an empty value and one of the largest size, and none that is larger, while others write', async () => {
    const keys = newKeys();
    const [empty, largest] = [Buffer.alloc(0), randomBytes(MAX_VALUE_BYTES)];
    expect((await write(writeRequest(keys, 0, empty))).body).toEqual(updated(1, empty));
    expect((await write(writeRequest(keys, 1, largest))).body).toEqual(updated(2, largest));
    expect((await read(readRequest(keys))).body).toEqual(readAs(2, largest));
    const tooLarge = Array.from({ length: 20 }, () =>
      write(writeRequest(keys, 2, randomBytes(MAX_VALUE_BYTES + 1))),
    );
    expect((await write(writeRequest(newKeys(), 0, first))).body).toEqual(updated(1, first));
    for (const { status, body } of await Promise.all(tooLarge))
      expect([status, body]).toMatchObject([400, { errors: [{ pointer: '/body/value', code: 'too_big' }] }]);
  });

  it('has its signature stored with what it was made for', async () => {
    const keys = newKeys();
    const { signature, time, value } = writeRequest(keys, 0, first);
    await write(writeRequest(keys, 0, first, time));
    expect(await stored(keys)).toEqual([
      {
        key: keys.publicKey.toString('hex'),
        seq: 1,
        source: expect.any(String),
        value,
        signed: { signature, time },
        at: expect.any(String),
      },
    ]);
  });
});

describe('of devices that write one key at once', () => {
  it('exactly one succeeds', async () => {
    const keys = newKeys();
    const values = Array.from({ length: 8 }, (_, n) => Buffer.from(`device ${n}`));
    const answers = await Promise.all(values.map(value => write(writeRequest(keys, 0, value))));
    const winners = answers.filter(({ body }) => (body as { updated: boolean }).updated);
    expect(winners).toHaveLength(1);
    const { current } = winners[0]!.body as { current: object };
    for (const { status, body } of answers) expect([status, body]).toMatchObject([200, { current }]);
    expect((await read(readRequest(keys))).body).toEqual({ ok: true, value: current });
  });
});

describe('somebody else', () => {
  const keys = newKeys();
  const thief = newKeys();
  beforeAll(async () => {
    await write(writeRequest(keys, 0, first));
  });
  afterAll(async () => {
    expect(await stored(keys)).toHaveLength(1);
    expect((await read(readRequest(keys))).body).toEqual(readAs(1, first));
  });

  const expectProblem = ({ status, body }: Response, code: string, field?: string): void => {
    expect([status, body]).toMatchObject([
      code === 'invalid_request' ? 400 : 403,
      { code, ...(field !== undefined && { errors: [{ pointer: `/body/${field}` }] }) },
    ]);
    expect(JSON.stringify(body)).not.toContain(first.toString('base64'));
  };

  it.each([
    ['signs with another key', { ...readRequest(thief), key: keys.publicKey.toString('base64') }],
    ['prolongs a signature', { ...readRequest(keys), time: soon + 30 }],
    [
      'passes on the signature of a write',
      (({ key, signature, time }) => ({ key, signature, time }))(writeRequest(keys, 1, second)),
    ],
    [
      'sends no signature that could be one',
      { ...readRequest(keys), signature: Buffer.alloc(64).toString('base64') },
    ],
  ])('cannot read who %s', async (_what, body) => {
    expectProblem(await read(body), 'signature_invalid', 'signature');
  });

  const genuine = writeRequest(keys, 1, second);
  it.each([
    ['signs with another key', { ...writeRequest(thief, 1, second), key: genuine.key }],
    ['alters the value', { ...genuine, value: third.toString('base64') }],
    ['alters the seq', { ...genuine, seq: 2 }],
    ['prolongs a signature', { ...genuine, time: genuine.time + 1 }],
    ['passes on the signature of a read', { ...genuine, ...readRequest(keys, genuine.time) }],
  ])('cannot write who %s', async (_what, body) => {
    expectProblem(await write(body), 'signature_invalid', 'signature');
  });

  it('may have a clock that is wrong by less than a day', async () => {
    for (const wrongBy of [-86_399, -3_660, -61, -1, 0, 1, 3_600, 86_300]) {
      const owner = newKeys();
      const time = now + wrongBy;
      expect((await read(readRequest(owner, time))).body).toEqual(readAs(0, null));
      expect((await write(writeRequest(owner, 0, first, time))).body).toMatchObject({ updated: true });
    }
  });

  it('cannot use a signature that has expired', async () => {
    for (const time of [now - 86_400, now - 1_000_000, 0]) {
      expectProblem(await read(readRequest(keys, time)), 'signature_expired', 'time');
      expectProblem(await write(writeRequest(keys, 1, second, time)), 'signature_expired', 'time');
    }
  });

  it('cannot use a signature that was made to last', async () => {
    for (const time of [now + 86_401, 2 ** 32 - 1]) {
      expectProblem(await read(readRequest(keys, time)), 'invalid_request', 'time');
      expectProblem(await write(writeRequest(keys, 1, second, time)), 'invalid_request', 'time');
    }
  });

  it('cannot undo a later write by repeating an earlier one', async () => {
    const owner = newKeys();
    const seen = writeRequest(owner, 0, first);
    await write(seen);
    await write(writeRequest(owner, 1, second));
    expect((await write(seen)).body).toEqual(refused(2, second));
    expect((await read(readRequest(owner))).body).toEqual(readAs(2, second));
  });

  it.each([
    ['/storage/read', { key: genuine.key }],
    ['/storage/write', { key: genuine.key, value: genuine.value }],
    ['/storage/write', { key: genuine.key, value: genuine.value, seq: 1 }],
  ])('cannot call %s without a signature', async (path, body) => {
    expectProblem(await post(path, body), 'signature_required');
  });
});

describe('malformed', () => {
  const keys = newKeys();
  const good = writeRequest(keys, 0, first);
  const without = (field: keyof typeof good) =>
    Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));

  it.each<[string, object]>([
    ['key', { ...good, key: Buffer.alloc(31, 1).toString('base64') }],
    ['key', { ...good, key: Buffer.alloc(33, 1).toString('base64') }],
    ['key', { ...good, key: keys.publicKey.toString('hex') }],
    ['key', { ...good, key: `${good.key.slice(0, -2)}_=` }],
    ['key', without('key')],
    ['signature', { ...good, signature: good.signature.slice(4) }],
    ['signature', { ...good, signature: '' }],
    ['signature', without('signature')],
    ['time', { ...good, time: 2 ** 32 }],
    ['time', { ...good, time: NOW }],
    ['time', { ...good, time: String(good.time) }],
    ['time', without('time')],
    ['seq', { ...good, seq: -1 }],
    ['seq', { ...good, seq: 2 ** 32 }],
    ['seq', { ...good, seq: 0.5 }],
    ['seq', { ...good, seq: null }],
    ['seq', without('seq')],
    ['value', { ...good, value: 'AA' }],
    ['value', { ...good, value: 'AB==' }],
    ['value', { ...good, value: '*' }],
    ['value', { ...good, value: null }],
    ['value', without('value')],
  ])('requests name %s', async (field, body) => {
    const answer = await write(body);
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'invalid_request', errors: [{ pointer: `/body/${field}` }] },
    ]);
    expect(await stored(keys)).toEqual([]);
  });

  it('bodies of more than a mebibyte are not read', async () => {
    const { status, body } = await write({ ...good, value: 'A'.repeat(2 ** 20) });
    expect([status, body]).toMatchObject([413, { code: 'body_too_large' }]);
  });
});

describe('where calls need no signature', () => {
  let open: Express;
  beforeAll(async () => {
    open = await appWith({ STORAGE_UNSIGNED: 'true' });
  });
  const plain = (keys: Keys, value: Buffer, seq?: number) => ({
    key: keys.publicKey.toString('base64'),
    value: value.toString('base64'),
    ...(seq !== undefined && { seq }),
  });
  const keyOnly = (keys: Keys) => ({ key: keys.publicKey.toString('base64') });

  it('a value is written over what is there, or compared', async () => {
    const keys = newKeys();
    expect((await read(keyOnly(keys), open)).body).toEqual(readAs(0, null));
    expect((await write(plain(keys, first), open)).body).toEqual(updated(1, first));
    expect((await write(plain(keys, second), open)).body).toEqual(updated(2, second));
    expect((await read(keyOnly(keys), open)).body).toEqual(readAs(2, second));
    expect((await write(plain(keys, third, 1), open)).body).toEqual(refused(2, second));
    expect((await write(plain(keys, third, 2), open)).body).toEqual(updated(3, third));
  });

  it('all of several writers that compare nothing have written', async () => {
    const keys = newKeys();
    const answers = await Promise.all([first, second, third].map(value => write(plain(keys, value), open)));
    expect(answers.map(({ body }) => (body as { updated: boolean }).updated)).toEqual([true, true, true]);
    expect(await stored(keys)).toHaveLength(3);
  });

  it('what was signed once can neither be read nor written without a signature', async () => {
    const keys = newKeys();
    await write(plain(keys, first), open);
    expect((await read(readRequest(keys), open)).body).toEqual(readAs(1, first));
    expect((await write(writeRequest(keys, 1, second), open)).body).toEqual(updated(2, second));
    for (const answer of [
      await read(keyOnly(keys), open),
      await write(plain(keys, third), open),
      await write(plain(keys, third, 2), open),
    ])
      expect([answer.status, answer.body]).toMatchObject([403, { code: 'signature_required' }]);
    expect((await read(readRequest(keys), open)).body).toEqual(readAs(2, second));
  });
});

describe('growth', () => {
  const codes = (answers: readonly Response[]): unknown[] =>
    answers.map(({ status, body }) => (status === 200 ? 'ok' : (body as { code: string }).code));

  it('of a key is limited, whatever address writes it', async () => {
    const limited = await appWith({ [quotaSetting(STORAGE_KEY_WRITES)]: '2' });
    const [keys, others] = [newKeys(), newKeys()];
    const answers: Response[] = [];
    for (let seq = 0; seq < 3; seq++) answers.push(await write(writeRequest(keys, seq, first), limited));
    expect(codes(answers)).toEqual(['ok', 'ok', 'rate_limited']);
    expect(answers[2]!.headers['retry-after']).toMatch(/^\d+$/);
    expect(codes([await write(writeRequest(others, 0, first), limited)])).toEqual(['ok']);
  });

  it('of a key is not used up by those whom it does not belong to', async () => {
    const limited = await appWith({ [quotaSetting(STORAGE_KEY_WRITES)]: '1' });
    const [keys, thief] = [newKeys(), newKeys()];
    const forged = { ...writeRequest(thief, 0, first), key: keys.publicKey.toString('base64') };
    for (let attempt = 0; attempt < 3; attempt++) await write(forged, limited);
    expect(codes([await write(writeRequest(keys, 0, first), limited)])).toEqual(['ok']);
  });

  it('of a history is a share of what all may write in a day, and others write meanwhile', async () => {
    const { app: limited } = await own({
      [quotaSetting(STORAGE_WRITES)]: '1000',
      RATE_LIMIT_STORAGE_WRITES_PER_DAY: '40',
      STORAGE_VALUE_KIBIBYTES: '8',
      TRUSTED_PROXIES: '1',
    });
    const writeFrom = (from: string, keys: Keys, seq: number, bytes: number) =>
      request(limited)
        .post('/storage/write')
        .set('X-Forwarded-For', from)
        .send(writeRequest(keys, seq, Buffer.alloc(bytes, seq)));
    const [strangers, mine] = [newKeys(), newKeys()];
    const replaced: Response[] = [];
    // Each takes two of the ten of a caller.
    for (let seq = 0; seq < 8; seq++) replaced.push(await writeFrom('203.0.113.1', strangers, seq, 8_000));
    expect(codes(replaced)).toEqual([
      ...Array<string>(5).fill('ok'),
      ...Array<string>(3).fill('rate_limited'),
    ]);
    for (let seq = 0; seq < 3; seq++)
      expect(codes([await writeFrom('192.0.2.1', mine, seq, 100)])).toEqual(['ok']);
    const further: Response[] = [];
    for (let n = 0; n < 40; n++) further.push(await writeFrom(`198.51.100.${n}`, newKeys(), 0, 100));
    expect(codes(further).filter(code => code === 'ok')).toHaveLength(40 - 10 - 3);
    expect((await read(readRequest(mine), limited)).body).toEqual(readAs(3, Buffer.alloc(100, 2)));
  });

  it('by an address counts what is refused too', async () => {
    const limited = await appWith({ [quotaSetting(STORAGE_WRITES)]: '2' });
    const [keys, thief] = [newKeys(), newKeys()];
    const tooLarge = await write(writeRequest(keys, 0, randomBytes(MAX_VALUE_BYTES + 1)), limited);
    const forged = { ...writeRequest(thief, 0, first), key: writeRequest(keys, 0, first).key };
    const answers = [
      tooLarge,
      await write(forged, limited),
      await write(writeRequest(keys, 0, first), limited),
    ];
    expect(codes(answers)).toEqual(['invalid_request', 'signature_invalid', 'rate_limited']);
  });

  it('by an address is limited in writes and bytes; reads have a quota of their own', async () => {
    const limited = await appWith({
      [quotaSetting(STORAGE_WRITES)]: '3',
      [quotaSetting(STORAGE_READS)]: '1',
      STORAGE_VALUE_KIBIBYTES: '10',
    });
    // Of three writes a value of more than 4 KiB takes two.
    expect(
      codes([
        await write(writeRequest(newKeys(), 0, randomBytes(4_097)), limited),
        await write(writeRequest(newKeys(), 0, first), limited),
        await write(writeRequest(newKeys(), 0, first), limited),
        await read(readRequest(newKeys()), limited),
        await read(readRequest(newKeys()), limited),
      ]),
    ).toEqual(['ok', 'ok', 'rate_limited', 'ok', 'rate_limited']);
  });
});
