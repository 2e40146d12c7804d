import { safeSign, beginCell, type Cell } from '@ton/core';
import type { KeyPair } from '@ton/crypto';
import { TonhubConnector, type TonhubTransactionRequest } from 'ton-x';
import { TonhubHttpTransport } from 'ton-x/dist/transport/TonhubHttpTransport';
import { CONNECT_SESSION_RETENTION } from '../../services/connect/retention';
import { applyIn } from '../apply-retention';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { startConnectServer, type ConnectServer } from './server';
import { ENDPOINT, keyPair, WalletApp, type Answer } from './wallet-app';

let server: ConnectServer;
beforeAll(async () => void (server = await startConnectServer()));
afterAll(() => server.stop());
afterEach(() => void (server.ahead = 0));

const APP = { name: 'An app', url: 'https://app.example' };

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** @param from the address of the caller, where the program trusts a proxy */
async function send(path: string, body?: object, from?: string): Promise<Reply> {
  const response = await fetch(server.url + path, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      'content-type': 'application/json',
      origin: 'https://app.example',
      ...(from && { 'x-forwarded-for': from }),
    },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

const answered = (answer: Partial<Answer>, from?: string) => send('/connect/answer', answer, from);
const state = async (key: string) => (await send(`/connect/${encodeURIComponent(key)}`)).body;
const wallet = new WalletApp(1);
const otherWallet = new WalletApp(2);

let sessions = 0;
/** A session of a key that no other test uses. */
async function open(fields: object = {}): Promise<{ key: string; keys: KeyPair }> {
  const keys = keyPair(200 - ++sessions);
  const key = keys.publicKey.toString('base64url');
  const body = { key, testnet: false, name: 'An app', url: 'https://app.example', ...fields };
  expect(await send('/connect/init', body)).toMatchObject({ status: 200, body: { ok: true } });
  return { key, keys };
}
async function ready() {
  const session = await open();
  expect((await answered(wallet.answer(session.key))).body).toEqual({ ok: true });
  return session;
}

test('the name of an application is shown in the order in which it is written', async () => {
  const { key } = await open({ name: 'An \u202eapp\u202c' });
  expect(await state(key)).toMatchObject({ name: 'An app' });
});

interface JobOptions {
  readonly appPublicKey?: Buffer;
  /** Seconds from now. */
  readonly expiresIn?: number;
  readonly signer?: KeyPair;
  readonly kind?: number;
  readonly arguments?: Cell;
}
function jobOf(keys: KeyPair, options: JobOptions = {}): { boc: string; cell: Cell } {
  const {
    appPublicKey = wallet.installation.publicKey,
    expiresIn = 3_000,
    signer = keys,
    kind = 0,
  } = options;
  const job = beginCell()
    .storeBuffer(appPublicKey)
    .storeUint(Math.floor(Date.now() / 1_000) + expiresIn, 32)
    .storeCoins(kind)
    .storeRef(options.arguments ?? beginCell().endCell())
    .endCell();
  const cell = beginCell()
    .storeBuffer(safeSign(job, signer.secretKey))
    .storeBuffer(keys.publicKey)
    .storeRef(job)
    .endCell();
  return { boc: cell.toBoc({ idx: false }).toString('base64'), cell };
}
const submit = (job: string, from?: string) => send('/connect/command', { job }, from);
const command = async (app = wallet, from?: string) =>
  (await send(`/connect/command/${app.installation.publicKey.toString('base64url')}`, undefined, from)).body;

describe('an application with the published SDK, and a wallet', () => {
  const transport = () => new TonhubHttpTransport({ endpoint: server.url });
  const request = (seed: string): TonhubTransactionRequest => ({
    seed,
    appPublicKey: wallet.appPublicKey,
    to: 'EQAfOEHwTpozSfZP4WJsbwRbVNbC2DnT4AAVGDMdbCAzUn--',
    value: '1500000000',
    timeout: 600_000,
    text: 'a present',
  });

  it.each(['mainnet', 'testnet'] as const)('connect, command, poll and part, on %s', async network => {
    const testnet = network === 'testnet';
    const connector = new TonhubConnector({ network, transport: transport() });
    const { id, seed } = await connector.createNewSession({ name: 'An app', url: 'https://app.example' });
    const app = { name: 'An app', url: 'https://app.example' };
    const initing = await connector.getSessionState(id);
    expect(initing).toMatchObject({ state: 'initing', ...app });
    const awaited = connector.awaitSessionReady(id, 600_000);

    const answer = wallet.answer(id, { testnet });
    expect((await answered(answer)).body).toEqual({ ok: true });
    const session = await awaited;
    expect(session).toMatchObject({
      state: 'ready',
      ...app,
      wallet: { address: answer.address, appPublicKey: wallet.appPublicKey, endpoint: ENDPOINT },
    });
    expect((await send('/connect/grant', { key: id })).body).toEqual({ ok: true });
    expect(await connector.getSessionState(id)).toMatchObject({ state: 'ready' });

    const outcome = connector.requestTransaction(request(seed));
    const submitted = await until(
      () => command(),
      found => found['state'] === 'submitted',
    );
    expect(submitted['job']).toEqual(expect.any(String));
    expect((await send('/connect/revoke', { key: id })).body).toEqual({ ok: true });
    expect(await outcome).toEqual({ type: 'rejected' });

    expect(await connector.getSessionState(id)).toEqual({ state: 'revoked' });
    expect(await connector.requestTransaction(request(seed))).toEqual({ type: 'invalid_session' });
  });

  it('of another network see no session', async () => {
    const connector = new TonhubConnector({ network: 'testnet', transport: transport() });
    const { key } = await open();
    expect(await connector.getSessionState(key)).toEqual({ state: 'revoked' });
  });
});

describe('a session', () => {
  it('is opened once, however its key is written, and not for another application', async () => {
    const { key } = await open();
    const body = { key, testnet: false, name: 'An app', url: 'https://app.example' };
    const standard = `${key.replaceAll('-', '+').replaceAll('_', '/')}=`;
    const before = await state(key);
    expect((await send('/connect/init', { ...body, key: standard })).body).toEqual({ ok: true });
    expect(await state(standard)).toEqual(before);
    for (const other of [{ name: 'Another app' }, { url: 'https://evil.example' }, { testnet: true }])
      expect((await send('/connect/init', { ...body, ...other })).body).toMatchObject({
        ok: false,
        code: 'connect_key_used',
      });
    expect(await state(key)).toEqual(before);
  });

  it('awaits the wallet, which grants it and may revoke it', async () => {
    const { key } = await open();
    expect(await state(key)).toMatchObject({ state: 'initing', status: 'awaiting', revoked: false });
    await send('/connect/grant', { key });
    expect(await state(key)).toMatchObject({ state: 'initing', status: 'awaiting' });
    await answered(wallet.answer(key));
    expect(await state(key)).toMatchObject({ state: 'ready', status: 'awaiting', revoked: false });
    await send('/connect/grant', { key });
    expect(await state(key)).toMatchObject({ state: 'ready', status: 'granted', revoked: false });
    await send('/connect/revoke', { key });
    await send('/connect/grant', { key });
    expect(await state(key)).toMatchObject({ state: 'ready', status: 'invalid', revoked: true });
  });

  it.each(['v4', 'v5'] as const)('is answered by a wallet %s of either network', async version => {
    for (const testnet of [false, true]) {
      const { key } = await open({ testnet });
      const answer = wallet.answer(key, { version, testnet });
      expect((await answered(answer)).body).toEqual({ ok: true });
      const { walletConfig, walletType, address } = answer;
      expect(await state(key)).toMatchObject({ testnet, wallet: { walletConfig, walletType, address } });
    }
  });

  it('is answered by a wallet that says neither its kind nor its network', async () => {
    const { key } = await open({ testnet: true });
    const { kind: _, testnet: __, ...answer } = wallet.answer(key, { testnet: true });
    expect((await answered(answer)).body).toEqual({ ok: true });
    expect(await state(key)).toMatchObject({ state: 'ready', testnet: true });
  });

  it('begins with the answer when a connection over the bridge is reported', async () => {
    const key = keyPair(90).publicKey.toString('base64');
    const answer = { ...wallet.answer(key, { kind: 'tonconnect-v2', endpoint: 'https://app.example' }) };
    for (const name of ['An app', 'Its new name'])
      expect((await answered({ ...answer, name })).body).toEqual({ ok: true });
    const app = { name: 'An app', url: 'https://app.example' };
    expect(await state(key)).toMatchObject({ state: 'ready', ...app, wallet: { address: answer.address } });
    const unnamed = keyPair(91).publicKey.toString('base64');
    await answered(wallet.answer(unnamed, { kind: 'tonconnect-v2', endpoint: null }));
    expect(await state(unnamed)).toMatchObject({ name: '', url: '', wallet: { endpoint: null } });
  });

  it('is answered once: by the first wallet of two at once', async () => {
    const { key } = await open();
    const outcomes = await Promise.all(
      [wallet, otherWallet].map(async each => (await answered(each.answer(key))).body),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes).toContainEqual({
      ok: false,
      error: 'Already completed',
      code: 'connect_already_completed',
    });
    const first = outcomes[0]!['ok'] ? wallet : otherWallet;
    expect(await state(key)).toMatchObject({ wallet: { appPublicKey: first.appPublicKey } });
    const answers = (await server.events()).filter(
      ({ type, data }) => type === 'ConnectSessionAnswered' && data['key'] === key,
    );
    expect(answers).toHaveLength(1);
  });

  it('stays as it is when its answer is repeated, also after it was revoked', async () => {
    const { key } = await ready();
    const before = await state(key);
    const answer = wallet.answer(key);
    expect((await answered({ ...answer, key: `${key}=` })).body).toEqual({ ok: true });
    expect(await state(key)).toEqual(before);
    await send('/connect/revoke', { key });
    expect((await answered(answer)).body).toEqual({ ok: true });
    expect(await state(key)).toMatchObject({ revoked: true });
  });

  it('that was not answered is forgotten after an hour, and when it is revoked', async () => {
    const { key } = await open();
    const revoked = await open();
    await send('/connect/revoke', { key: revoked.key });
    server.ahead = 1_800_000;
    expect(await state(key)).toMatchObject({ state: 'initing' });
    server.ahead = 3_600_001;
    for (const ended of [key, revoked.key]) {
      expect(await state(ended)).toEqual({ state: 'not_found' });
      expect((await answered(wallet.answer(ended))).body).toEqual({
        ok: false,
        error: 'Invalid session',
        code: 'connect_session_invalid',
      });
    }
  });

  it('is not found, and what is done to it changes nothing, when nobody knows it', async () => {
    const events = (await server.events()).length;
    for (const key of [keyPair(99).publicKey.toString('base64url'), 'no key', '', '__proto__']) {
      if (key !== '') expect(await state(key)).toEqual({ state: 'not_found' });
      for (const path of ['/connect/grant', '/connect/revoke'])
        expect(await send(path, { key })).toMatchObject({ status: 200, body: { ok: true } });
    }
    expect((await answered(wallet.answer(keyPair(99).publicKey.toString('base64')))).body).toMatchObject({
      ok: false,
      error: 'Invalid session',
    });
    expect(await server.events()).toHaveLength(events);
  });
});

test('of a stranger are a quarter of what the others leave, and who has one still uses it', async () => {
  const mine = server;
  server = await startConnectServer({ settings: { MAX_CONNECT_SESSIONS: '8', TRUSTED_PROXIES: '1' } });
  try {
    const [stranger, others, honest] = ['203.0.113.1', '203.0.113.2', '192.0.2.1'];
    let seed = 0;
    const openFrom = (from: string, fields: object = {}) => {
      const key = Buffer.alloc(32, ++seed).toString('base64url');
      return send('/connect/init', { key, testnet: false, ...APP, ...fields }, from);
    };
    const reportFrom = (from: string) => {
      const key = Buffer.alloc(32, ++seed).toString('base64');
      return answered(otherWallet.answer(key, { kind: 'tonconnect-v2' }), from);
    };
    const own = keyPair(80);
    const key = own.publicKey.toString('base64url');
    expect((await openFrom(honest, { key })).status).toBe(200);
    // A quarter of the seven that are left.
    expect((await openFrom(stranger)).status).toBe(200);
    for (const begin of [openFrom, reportFrom]) {
      const refused = await begin(stranger);
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_connect_sessions' } });
      expect(refused.headers.get('retry-after')).toBe('3600');
    }
    expect((await reportFrom('192.0.2.9')).status).toBe(200);

    for (let n = 0; n < 5; n += 1) expect((await reportFrom(`${others}${n}`)).status).toBe(200);
    for (const begin of [openFrom, reportFrom])
      expect(await begin('192.0.2.2')).toMatchObject({
        status: 429,
        body: { code: 'too_many_connect_sessions' },
      });
    expect((await answered(wallet.answer(key), honest)).body).toEqual({ ok: true });
    const { boc } = jobOf(own);
    expect((await submit(boc, honest)).body).toEqual({ ok: true });
    expect(await command(wallet, honest)).toMatchObject({ state: 'submitted', job: boc });

    // One that goes makes place for another.
    server.ahead = 31 * 86_400_000;
    await applyIn(server, CONNECT_SESSION_RETENTION);
    await server.deps.engine.views.waitForPosition(
      'connect_sessions',
      await server.deps.engines.store.head(),
      5_000,
    );
    expect((await openFrom('192.0.2.2')).status).toBe(200);
  } finally {
    await server.stop();
    server = mine;
  }
});

describe('an answer', () => {
  const other = otherWallet.answer(keyPair(98).publicKey.toString('base64'));
  it.each<[string, (right: Answer) => Partial<Answer>]>([
    ['of another session', right => ({ ...right, walletSig: other.walletSig })],
    ['with the address of another wallet', right => ({ ...right, address: other.address })],
    ['with the configuration of another wallet', right => ({ ...right, walletConfig: other.walletConfig })],
    [
      'signed by a key that is not that of the address',
      right => ({ ...otherWallet.answer(right.key), address: right.address }),
    ],
    ['with another version', right => ({ ...right, walletType: 'org.ton.wallets.v5' })],
    ['with another installation', right => ({ ...right, appPublicKey: other.appPublicKey })],
    ['with another endpoint', right => ({ ...right, endpoint: 'https://evil.example' })],
    ['with another wallet id', right => ({ ...right, walletConfig: right.walletConfig.replace(/\d$/, '2') })],
    [
      'with two public keys',
      right => ({ ...right, walletConfig: `${right.walletConfig},pk=${'ab'.repeat(32)}` }),
    ],
    ['without a public key', right => ({ ...right, walletConfig: 'wc=0,walletId=698983191' })],
    ['with a wallet id too large', right => ({ ...right, walletConfig: right.walletConfig + '0' })],
  ])('%s is refused', async (_, wrong) => {
    const { key } = await open();
    const { status, body } = await answered(wrong(wallet.answer(key)));
    expect([status, body['code'], body['title']]).toEqual([400, 'connect_key_invalid', 'Invalid key']);
    expect(await state(key)).toMatchObject({ state: 'initing' });
  });

  it.each<[string, (right: Answer) => object, string]>([
    ['a key of 31 bytes', right => ({ ...right, key: Buffer.alloc(31).toString('base64') }), 'key'],
    ['no key', ({ key: _, ...right }) => right, 'key'],
    ['an installation that is no key', right => ({ ...right, appPublicKey: 'abc' }), 'appPublicKey'],
    ['no address', right => ({ ...right, address: 'nobody' }), 'address'],
    ['a wallet of no known type', right => ({ ...right, walletType: 'org.ton.wallets.v3' }), 'walletType'],
    ['a signature too short', right => ({ ...right, walletSig: 'AAAA' }), 'walletSig'],
    ['an endpoint too long for a cell', right => ({ ...right, endpoint: 'é'.repeat(64) }), 'endpoint'],
    ['no endpoint of commands', right => ({ ...right, endpoint: null }), 'endpoint'],
    ['a network that is no boolean', right => ({ ...right, testnet: 'no' }), 'testnet'],
    ['another kind', right => ({ ...right, kind: 'ton-y' }), 'kind'],
  ])('with %s is refused, and the field named', async (_, wrong, field) => {
    const { key } = await open();
    const { status, body } = await answered(wrong(wallet.answer(key)) as Partial<Answer>);
    expect(status).toBe(400);
    expect(body['errors']).toMatchObject([{ pointer: `/body/${field}` }]);
  });

  it('of another network, or kind, does not complete a session', async () => {
    const { key } = await open();
    const wrongNetwork = { ok: false, error: 'Invalid testnet flag', code: 'connect_network_mismatch' };
    const { testnet: _, ...unsaid } = wallet.answer(key, { testnet: true });
    expect((await answered({ ...unsaid, testnet: true })).body).toEqual(wrongNetwork);
    expect((await answered(unsaid)).body).toEqual(wrongNetwork);
    const contradictory = await answered({ ...unsaid, testnet: false });
    expect([contradictory.status, contradictory.body['code']]).toEqual([400, 'network_mismatch']);
    const reported = wallet.answer(key, { kind: 'tonconnect-v2' });
    expect((await answered(reported)).body).toMatchObject({ error: 'Invalid session' });
    expect(await state(key)).toMatchObject({ state: 'initing' });
  });
});

describe('a command', () => {
  it('of a stranger who answers a session of its own as the same installation hides none to the wallets of the owner', async () => {
    const mine = server;
    server = await startConnectServer({ settings: { TRUSTED_PROXIES: '1' } });
    try {
      const [stranger, application, phone] = ['203.0.113.1', '192.0.2.1', '198.51.100.1'];
      const victim = new WalletApp(61);
      const { installation } = victim;
      const appPublicKey = installation.publicKey;
      const openFor = async (seed: number, from: string) => {
        const opened = await open();
        const wallet = Object.assign(new WalletApp(seed), { installation });
        expect((await answered(wallet.answer(opened.key), from)).body).toEqual({ ok: true });
        return opened;
      };
      const day = 86_400;
      const own = await openFor(61, phone);
      const strangers = await openFor(62, stranger);
      const flood = [0, 1].map(kind => jobOf(strangers.keys, { appPublicKey, expiresIn: 360 * day, kind }));
      for (const { boc } of flood) expect((await submit(boc, stranger)).body).toEqual({ ok: true });

      // No place is left for another wallet.
      const further = [];
      for (let seed = 64; seed < 80; seed += 1) further.push(await openFor(seed, stranger));

      const later = await openFor(63, phone);
      const toLater = jobOf(later.keys, { appPublicKey, expiresIn: 300 });
      await submit(toLater.boc, application);
      for (const from of [application, phone])
        expect(await command(victim, from)).toMatchObject({ state: 'submitted', job: toLater.boc });
      // It may expire soon, too.
      await submit(jobOf(strangers.keys, { appPublicKey, expiresIn: 60 }).boc, stranger);
      expect(await command(victim, application)).toMatchObject({ job: toLater.boc });

      const genuine = jobOf(own.keys, { appPublicKey, expiresIn: 500 });
      await submit(genuine.boc, '192.0.2.2');
      expect(await command(victim, phone)).toMatchObject({ state: 'submitted', job: genuine.boc });
      expect(await command(victim, application)).toMatchObject({ state: 'submitted', job: toLater.boc });

      for (const { keys } of [strangers, ...further])
        expect((await submit(jobOf(keys, { appPublicKey, expiresIn: 60 }).boc, stranger)).status).toBe(200);
      for (const from of [phone, '192.0.2.3'])
        expect(await command(victim, from)).toMatchObject({ state: 'submitted', job: genuine.boc });

      const lasting = jobOf(later.keys, { appPublicKey, expiresIn: 400 * day, kind: 1 });
      await submit(lasting.boc, application);
      await submit(jobOf(strangers.keys, { appPublicKey, expiresIn: 300 * day }).boc, stranger);
      server.ahead = day * 1_000;
      expect(await command(victim, application)).toMatchObject({ state: 'submitted', job: lasting.boc });
    } finally {
      await server.stop();
      server = mine;
    }
  });

  it('of a stranger does not replace that to the first wallet where all callers have one address', async () => {
    const victim = new WalletApp(61);
    const openFor = async (app: WalletApp, appPublicKey?: Buffer) => {
      const opened = await open();
      const impostor = Object.assign(Object.create(app) as WalletApp, {
        installation: appPublicKey ? { ...app.installation, publicKey: appPublicKey } : app.installation,
      });
      expect((await answered(impostor.answer(opened.key))).body).toEqual({ ok: true });
      return opened;
    };
    const appPublicKey = victim.installation.publicKey;
    const own = await openFor(victim);
    const strangers = await openFor(new WalletApp(62), appPublicKey);
    const genuine = jobOf(own.keys, { appPublicKey, expiresIn: 100 });
    await submit(genuine.boc);
    for (const kind of [0, 1]) {
      const job = jobOf(strangers.keys, { appPublicKey, expiresIn: 200, kind });
      expect((await submit(job.boc)).body).toEqual({ ok: true });
    }
    expect(await command(victim)).toMatchObject({ state: 'submitted', job: genuine.boc });
  });

  it('is what the wallet finds until it expires, and the later of two', async () => {
    const { keys } = await ready();
    const [first, second] = [jobOf(keys, { expiresIn: 10_000 }), jobOf(keys, { expiresIn: 20_000, kind: 1 })];
    expect((await submit(first.boc)).body).toEqual({ ok: true });
    expect(await command()).toMatchObject({ state: 'submitted', job: first.boc });
    expect((await submit(second.boc)).body).toEqual({ ok: true });
    expect(await command()).toMatchObject({ state: 'submitted', job: second.boc });
    server.ahead = 20_001_000;
    expect(await command()).toMatchObject({ state: 'expired', job: second.boc });
  });

  it('does not come back when it is posted again, however its cells are written', async () => {
    const { keys } = await ready();
    const [first, second] = [jobOf(keys, { expiresIn: 10_000 }), jobOf(keys, { expiresIn: 20_000 })];
    for (const { boc } of [first, second]) await submit(boc);
    const forms = [
      first.boc,
      ...[true, false].map(crc32 => first.cell.toBoc({ crc32, idx: true }).toString('base64')),
    ];
    for (const form of forms) expect((await submit(form)).body).toEqual({ ok: true });
    expect(await command()).toMatchObject({ job: second.boc });
  });

  it('is rejected once its session is revoked, and no other is accepted then', async () => {
    const { key, keys } = await ready();
    const { boc } = jobOf(keys);
    await submit(boc);
    await send('/connect/revoke', { key });
    expect(await command()).toMatchObject({ state: 'rejected', job: boc });
    expect(await submit(jobOf(keys, { expiresIn: 5_000 }).boc)).toMatchObject({
      status: 409,
      body: { code: 'connect_session_invalid' },
    });
    expect(await command()).toMatchObject({ job: boc });
  });

  it('is not accepted any more once its session is revoked, however far behind documents are', async () => {
    const [before, folder] = [server, temporaryFolder()];
    server = await startConnectServer({ folder });
    try {
      const { key, keys } = await ready();
      await server.stop();
      // From now on documents stay as they are, and no command waits for them.
      server = await startConnectServer({ folder, roles: ['api'], readWait: { waitMs: 0 } });
      expect((await send('/connect/revoke', { key })).body).toEqual({ ok: true });
      expect(await submit(jobOf(keys).boc)).toMatchObject({
        status: 409,
        body: { code: 'connect_session_invalid' },
      });
    } finally {
      await server.stop();
      server = before;
    }
  });

  it('is empty for an installation that nobody has commanded', async () => {
    expect(await command(otherWallet)).toEqual({ state: 'empty', now: expect.any(Number) });
  });

  it('of a session that is not answered, unknown, or of another wallet is refused', async () => {
    const awaiting = await open();
    const answeredByOther = await open();
    await answered(otherWallet.answer(answeredByOther.key));
    const wrong = [
      [jobOf(awaiting.keys), 409, 'connect_session_invalid'],
      [jobOf(answeredByOther.keys), 409, 'connect_session_invalid'],
      [jobOf(keyPair(97)), 404, 'connect_session_not_found'],
    ] as const;
    for (const [{ boc }, status, code] of wrong)
      expect(await submit(boc)).toMatchObject({ status, body: { code } });
  });

  it('that is expired or not signed by its session is refused', async () => {
    const { keys } = await ready();
    expect(await submit(jobOf(keys, { expiresIn: -1 }).boc)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/job', code: 'expired' }] },
    });
    expect(await submit(jobOf(keys, { signer: wallet.keys }).boc)).toMatchObject({
      status: 400,
      body: { code: 'connect_key_invalid' },
    });
  });

  const nested = (depth: number): Cell => {
    let cell = beginCell().endCell();
    for (let n = 0; n < depth; n++) cell = beginCell().storeRef(cell).storeRef(cell).endCell();
    return cell;
  };
  const bag = (cell: Cell): string => cell.toBoc().toString('base64');
  it.each([
    ['is not base64', () => '%%%'],
    ['is no bag of cells', () => 'AAAA'],
    ['is an empty cell', () => bag(beginCell().endCell())],
    ['has no job', () => bag(beginCell().storeBuffer(Buffer.alloc(96)).endCell())],
    [
      'has an empty job',
      () => bag(beginCell().storeBuffer(Buffer.alloc(96)).storeRef(beginCell()).endCell()),
    ],
    [
      'has more than a job',
      () => bag(beginCell().storeBuffer(Buffer.alloc(97)).storeRef(beginCell()).endCell()),
    ],
    ['is of no known kind', () => jobOf(keyPair(96), { kind: 2 }).boc],
    ['has a million cells', () => jobOf(keyPair(96), { arguments: nested(20) }).boc],
    ['is too long', () => Buffer.alloc(16_385, 1).toString('base64')],
  ])('that %s is refused', async (_, job) => {
    const { status, body } = await submit(job());
    expect([status, body['errors']]).toMatchObject([400, [{ pointer: '/body/job' }]]);
  });
});

describe('a wait', () => {
  const wait = async (key: string, lastUpdated: unknown) =>
    (await send(`/connect/${key}/wait?lastUpdated=${String(lastUpdated)}`)).body;

  it('ends with each change of its session, and not with those of others', async () => {
    const { key } = await open();
    let { updated } = await state(key);
    const changes: [string, object, object][] = [
      ['/connect/answer', wallet.answer(key), { state: 'ready', status: 'awaiting' }],
      ['/connect/grant', { key }, { status: 'granted' }],
      ['/connect/revoke', { key }, { status: 'invalid' }],
    ];
    for (const [path, body, expected] of changes) {
      let isOver = false;
      const waiting = wait(key, updated).finally(() => void (isOver = true));
      await ready();
      expect(isOver).toBe(false);
      await send(path, body);
      const found = await waiting;
      expect(found).toMatchObject(expected);
      expect(found['updated']).toBeGreaterThan(updated as number);
      updated = found['updated'];
    }
  });

  it('of many for one session ends for all of them', async () => {
    const { key } = await open();
    const { updated } = await state(key);
    const waiting = Array.from({ length: 40 }, () => wait(key, updated));
    await answered(wallet.answer(key));
    for (const found of await Promise.all(waiting)) expect(found).toMatchObject({ state: 'ready' });
  });

  it('is none for what is known to be old, or not found', async () => {
    const { key } = await ready();
    const { updated } = await state(key);
    expect(await wait(key, 0)).toMatchObject({ state: 'ready' });
    expect(await wait(key, (updated as number) - 1)).toMatchObject({ state: 'ready' });
    expect((await send(`/connect/${key}/wait`)).body).toMatchObject({ state: 'ready' });
    expect(await wait('nobody', 9e15)).toEqual({ state: 'not_found' });
  });

  it.each(['-1', 'x', '1e3', '1.5', '9'.repeat(17)])('does not begin at %s', async lastUpdated => {
    const { status, body } = await send(`/connect/x/wait?lastUpdated=${lastUpdated}`);
    expect([status, body['errors']]).toMatchObject([400, [{ pointer: '/query/lastUpdated' }]]);
  });

  it('of one caller are a quarter of those that may be: others wait as before', async () => {
    const mine = server;
    server = await startConnectServer({ settings: { MAX_WAITING_SESSION_READS: '8', TRUSTED_PROXIES: '1' } });
    try {
      const { key } = await open();
      const { updated } = await state(key);
      const waitFrom = (from: string) =>
        send(`/connect/${key}/wait?lastUpdated=${updated as number}`, undefined, from);
      let waiting = 40;
      const flood = Array.from({ length: waiting }, async () => {
        await waitFrom('203.0.113.1');
        waiting -= 1;
      });
      await until(
        async () => waiting,
        left => left === 2,
      );
      const honest = waitFrom('192.0.2.1');
      expect(await Promise.race([honest, waitFrom('203.0.113.1').then(() => 'answered')])).toBe('answered');
      expect((await answered(wallet.answer(key))).body).toEqual({ ok: true });
      expect((await honest).body).toMatchObject({ state: 'ready' });
      await Promise.all(flood);
    } finally {
      await server.stop();
      server = mine;
    }
  });

  it('is for as many as may wait, and ends when the program stops', async () => {
    const mine = server;
    server = await startConnectServer({ settings: { MAX_WAITING_SESSION_READS: '1' } });
    try {
      const { key } = await open();
      const { updated } = await state(key);
      const waits = [1, 2].map(() => wait(key, updated));
      expect(await Promise.race(waits)).toMatchObject({ state: 'initing' });
      server.drain();
      expect(await Promise.all(waits)).toMatchObject([{ state: 'initing' }, { state: 'initing' }]);
    } finally {
      await server.stop();
      server = mine;
    }
  });
});

it('may be called by pages of any origin', async () => {
  const { key } = await open();
  for (const path of [`/connect/${key}`, '/connect/nobody', '/connect/command/nobody'])
    expect((await send(path)).headers.get('access-control-allow-origin')).toBe('*');
});

it('limits what an address changes, and not what it reads', async () => {
  const mine = server;
  server = await startConnectServer({ settings: { RATE_LIMIT_CONNECTIONS: '2' } });
  try {
    await ready();
    const { status, headers, body } = await send('/connect/revoke', { key: 'x' });
    expect([status, body['code'], headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      expect.any(String),
    ]);
    expect((await send('/connect/nobody')).status).toBe(200);
  } finally {
    await server.stop();
    server = mine;
  }
});
