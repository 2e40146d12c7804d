import { Address } from '@ton/core';
import { erase } from '../../services/erasure/erase';
import { localWallet, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { until } from '../until';
import { startRequestProgram, startWalletNetwork, type RequestProgram, type WalletNetwork } from './program';
import {
  addressOf,
  createBody,
  list,
  post,
  respondBody,
  unixNow,
  watch,
  type WalletRequest,
  type WatchingApp,
} from './wallet';

/** Wallets of a local network, and two programs: requests made through one are notified of by the other. */

let network: WalletNetwork;
let program: RequestProgram;
let other: RequestProgram;
let alice: LocalWallet;
let bob: LocalWallet;
const apps: WatchingApp[] = [];

beforeAll(async () => {
  network = await startWalletNetwork();
  ({ alice, bob } = network);
  program = await startRequestProgram(network);
  other = await startRequestProgram(network, { roles: ['api'] });
});
afterEach(() => {
  for (const { socket } of apps.splice(0)) socket.terminate();
});
afterAll(async () => {
  await other?.stop();
  await program?.stop();
  await network?.close();
});

async function watching(through: RequestProgram, wallet: LocalWallet): Promise<WatchingApp> {
  const app = await watch(through, wallet);
  apps.push(app);
  return app;
}
async function created(from = alice, to = bob, terms = {}): Promise<WalletRequest> {
  const { status, body } = await post(program, 'create', createBody(from, to, terms));
  expect([status, body]).toEqual([200, expect.objectContaining({ status: 'pending' })]);
  return body as WalletRequest;
}
const idsOf = (requests: readonly WalletRequest[]): string[] => requests.map(({ requestId }) => requestId);
const codeOf = async (path: string, body: object): Promise<string> =>
  ((await post(program, path, body)).body as { code: string }).code;
const respond = (id: string, status: 'confirmed' | 'declined', wallet = bob) =>
  post(program, 'respond', respondBody(wallet, id, status));

it('a request is shown to both wallets at once, and answered by the one it is to', async () => {
  const before = unixNow();
  const request = await created();
  expect(request).toEqual({
    requestId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    requestor: addressOf(alice),
    confirmant: addressOf(bob),
    network: 'testnet',
    status: 'pending',
    created: expect.any(String) as string,
    expiresAt: expect.any(String) as string,
  });
  expect(Date.parse(request.expiresAt) - Date.parse(request.created)).toBe(300_000);
  expect(Date.parse(request.created)).toBeGreaterThanOrEqual(before * 1_000);
  for (const [wallet, type] of [
    [alice, 'pending-outgoing'],
    [bob, 'pending-incoming'],
    [alice, 'All'],
    [bob, undefined],
  ] as const)
    expect((await list(program, wallet, type))[0]).toEqual(request);
  expect(await list(program, alice, 'pending-incoming')).toEqual([]);
  expect(await list(program, bob, 'pending-outgoing')).toEqual([]);

  const body = respondBody(bob, request.requestId, 'confirmed');
  const answer = await post(program, 'respond', body);
  const { timestamp, signature } = body;
  const confirmed = {
    ...request,
    status: 'confirmed',
    answer: {
      at: expect.any(String) as string,
      timestamp,
      publicKey: bob.keys.publicKey.toString('hex'),
      signature,
    },
  };
  expect([answer.status, answer.body]).toEqual([200, { success: true, request: confirmed }]);
  for (const wallet of [alice, bob]) expect((await list(other, wallet))[0]).toEqual(confirmed);
  expect(idsOf(await list(program, bob, 'pending-incoming'))).not.toContain(request.requestId);

  expect((await post(program, 'respond', body)).body).toEqual(answer.body);
  expect((await respond(request.requestId, 'declined')).body).toMatchObject({
    code: 'wallet_request_answered',
  });
});

it('what is sent of message, time and metadata counts as signed, and what is not sent as the default', async () => {
  const terms = { message: 'Is it you?', expirationSeconds: 60, metadata: { order: ['b', 'a'], n: 1.5 } };
  const body = createBody(alice, bob, terms);
  for (const changed of [
    { message: 'Is it him?' },
    { expirationSeconds: 61 },
    { metadata: { n: 1.5, order: ['b', 'a'] } },
    { message: undefined },
    { metadata: undefined },
  ])
    expect(await codeOf('create', { ...body, ...changed })).toBe('signature_invalid');
  const { body: request } = await post(program, 'create', body);
  expect(request).toMatchObject({ message: terms.message, metadata: terms.metadata });

  const answer = respondBody(bob, (request as WalletRequest).requestId, 'declined', { response: 'No' });
  expect(await codeOf('respond', { ...answer, response: 'Yes' })).toBe('signature_invalid');
  expect((await post(program, 'respond', answer)).body).toMatchObject({
    request: { status: 'declined', message: 'Is it you?', answer: { response: 'No' } },
  });
});

it('what a wallet has written is no longer there once it is erased', async () => {
  const carol = localWallet('carol', 'v5r1', 'testnet');
  await network.deploy(carol);
  await created(carol, bob, { message: 'Personal', metadata: { more: 'personal' } });
  const handle = jest.fn(async () => ({ refusal: null, events: [], state: 0, position: 0, revision: null }));
  await erase(
    { keys: program.keys, handle: handle as never },
    `ton:testnet:${carol.contract.address.toRawString()}`,
    { now: '', actor: '' },
  );
  const [request] = await list(program, carol);
  expect(request).toMatchObject({ status: 'pending' });
  expect(Object.keys(request!)).not.toEqual(expect.arrayContaining(['message']));
  expect(Object.keys(request!)).not.toEqual(expect.arrayContaining(['metadata']));
});

it('the clock may have gone on by a second between text and body', async () => {
  const body = createBody(alice, bob);
  expect((await post(program, 'create', { ...body, timestamp: body.timestamp + 1 })).status).toBe(200);
  expect(await codeOf('create', { ...body, timestamp: body.timestamp + 2 })).toBe('signature_invalid');
  expect(await codeOf('create', { ...body, timestamp: body.timestamp - 1 })).toBe('signature_invalid');
});

it('a request that is sent again is the same request, from wherever', async () => {
  const body = createBody(alice, bob);
  const answers = await Promise.all(
    [program, other, program, other].map(through => post(through, 'create', body)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const [first] = answers;
  for (const each of answers) expect(each.body).toEqual(first!.body);
  const again = await post(program, 'create', { ...body, timestamp: body.timestamp + 1 });
  expect(again.body).toEqual(first!.body);
  const ids = idsOf(await list(program, alice));
  expect(ids.filter(id => id === (first!.body as WalletRequest).requestId)).toHaveLength(1);
});

it.each([
  ['before', -301],
  ['after', 360],
])('a signature of more than five minutes %s now is refused', async (_when, seconds) => {
  const timestamp = unixNow() + seconds;
  expect(await codeOf('create', createBody(alice, bob, { timestamp }))).toBe('signature_expired');
  const { requestId } = await created();
  expect(await codeOf('respond', respondBody(bob, requestId, 'confirmed', { timestamp }))).toBe(
    'signature_expired',
  );
});

it('nobody else signs for a wallet', async () => {
  const { requestId } = await created();
  const forged = createBody(bob, alice);
  const stolen = { ...forged, requestor: addressOf(alice), confirmant: addressOf(bob) };
  expect(await codeOf('create', stolen)).toBe('signature_invalid');
  // The key of a deployed wallet is that of the chain, whatever the body says.
  const publicKey = bob.keys.publicKey.toString('hex');
  expect(await codeOf('create', { ...stolen, publicKey })).toBe('signature_invalid');
  const asBob = { ...respondBody(alice, requestId, 'confirmed'), walletAddress: addressOf(bob) };
  expect(await codeOf('respond', asBob)).toBe('signature_invalid');
  expect((await respond(requestId, 'confirmed', alice)).body).toMatchObject({
    code: 'wallet_request_wrong_wallet',
  });
  const confirmation = respondBody(bob, requestId, 'confirmed');
  expect(await codeOf('respond', { ...confirmation, status: 'declined' })).toBe('signature_invalid');
  const { requestId: second } = await created();
  expect(await codeOf('respond', { ...confirmation, requestId: second })).toBe('signature_invalid');
  expect(await codeOf('respond', respondBody(bob, '0'.repeat(32), 'confirmed'))).toBe(
    'wallet_request_not_found',
  );
});

it('of two answers at once one counts', async () => {
  const { requestId } = await created();
  const answers = await Promise.all(
    (['confirmed', 'declined', 'confirmed', 'declined'] as const).map((status, i) =>
      post(i < 2 ? program : other, 'respond', respondBody(bob, requestId, status)),
    ),
  );
  const { status } = (await list(program, bob)).find(each => each.requestId === requestId)!;
  expect(['confirmed', 'declined']).toContain(status);
  for (const [i, each] of answers.entries()) {
    const counts = (i % 2 === 0) === (status === 'confirmed');
    expect([each.status, (each.body as { code?: string }).code]).toEqual(
      counts ? [200, undefined] : [409, 'wallet_request_answered'],
    );
  }
});

it('a wallet that is not deployed names its key, from which its address derives; then the chain has it', async () => {
  const { undeployed } = network;
  const own = undeployed.keys.publicKey.toString('hex');
  const foreign = alice.keys.publicKey.toString('hex');
  const body = createBody(undeployed, bob);
  expect(await codeOf('create', body)).toBe('wallet_key_unknown');
  expect(await codeOf('create', { ...body, publicKey: foreign })).toBe('wallet_key_unknown');
  expect((await post(program, 'create', { ...body, publicKey: own })).status).toBe(200);
  await network.deploy(undeployed);
  await until(async () => (await post(program, 'create', createBody(undeployed, bob))).status === 200);
});

it('no address without a wallet signs', async () => {
  const body = {
    ...createBody(alice, bob),
    requestor: new Address(0, Buffer.alloc(32, 5)).toString({ testOnly: true }),
  };
  expect(await codeOf('create', body)).toBe('wallet_key_unknown');
  const toOneself = createBody(alice, alice);
  expect(await post(program, 'create', toOneself)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/body/confirmant' }] },
  });
});

it('the networks of a request, its wallets and its answer are the same', async () => {
  const body = createBody(alice, bob);
  expect(await codeOf('create', { ...body, network: 'mainnet' })).toBe('network_mismatch');
  const { body: request } = await post(program, 'create', { ...body, network: 'sandbox' });
  expect(request).toMatchObject({ network: 'testnet' });
});

describe('watching', () => {
  it('begins with what the wallet has to answer, and goes on with what changes, for both wallets', async () => {
    const request = await created();
    const [ofAlice, ofBob] = [await watching(other, alice), await watching(other, bob)];
    for (const [app, wallet] of [
      [ofAlice, alice],
      [ofBob, bob],
    ] as const)
      expect(app.frames[0]).toEqual({
        event: 'connected',
        data: { walletAddress: addressOf(wallet), timestamp: expect.any(Number) as number },
      });
    const pendingOf = ({ frames }: WatchingApp): unknown[] =>
      frames.flatMap(frame => (frame.event === 'pending_requests' ? frame.data.requests : []));
    expect(pendingOf(ofAlice)).toEqual([]);
    expect(pendingOf(ofBob)).toContainEqual(request);

    const second = await created();
    await until(() => ofBob.notifications().includes(`new_request ${second.requestId}`));
    await respond(request.requestId, 'confirmed');
    await respond(second.requestId, 'declined');
    const both = [request, second].map(({ requestId }) => `request_response ${requestId}`);
    await until(() => ofAlice.notifications().length >= 2 && ofBob.notifications().length >= 3);
    expect(ofAlice.notifications()).toEqual(both);
    expect(ofBob.notifications()).toEqual([`new_request ${second.requestId}`, ...both]);
  });

  it('answers the app until it leaves', async () => {
    const app = await watching(program, bob);
    app.socket.send(JSON.stringify({ type: 'ping' }));
    app.socket.send(JSON.stringify({ type: 'dance' }));
    const has = (event: string) => app.frames.some(frame => frame.event === event);
    await until(() => has('pong') && has('error'));
    expect(app.frames.find(({ event }) => event === 'error')).toEqual({
      event: 'error',
      data: { message: 'unknown type of message', type: 'unknown_type' },
    });
    app.socket.send(JSON.stringify({ type: 'unsubscribe' }));
    expect(await app.closed()).toBe(1000);
  });

  it('has heartbeats while nothing changes', async () => {
    const quick = await startRequestProgram(network, {
      roles: ['api'],
      settings: { STREAM_HEARTBEAT_SECONDS: '0.2' },
    });
    const app = await watching(quick, bob);
    await until(() => app.frames.some(({ event }) => event === 'heartbeat'));
    await quick.stop();
  });

  it.each([
    ['that is no JSON', '{', 1007],
    ['without a type', '{"tip":"ping"}', 1008],
    ['that is too large', JSON.stringify({ type: 'x'.repeat(2_000) }), 1009],
  ])('ends with a message %s', async (_what, message, code) => {
    const app = await watching(program, bob);
    app.socket.send(message);
    expect(await app.closed()).toBe(code);
  });
});

it('strangers who ask a wallet again and again push no request of others out of its list and stream', async () => {
  const victim = localWallet('victim', 'v4r2', 'testnet');
  const proxied = await startRequestProgram(network, { roles: ['api'], settings: { TRUSTED_PROXIES: '1' } });
  const ask = async (from: LocalWallet, address: string): Promise<WalletRequest> => {
    const publicKey = from.keys.publicKey.toString('hex');
    const body = { ...createBody(from, victim), publicKey };
    const answer = await post(proxied, 'create', body, address);
    expect(answer.status).toBe(200);
    return answer.body as WalletRequest;
  };
  const genuine = await ask(alice, '192.0.2.1');
  const strangers = Array.from({ length: 130 }, (_, n) => localWallet(`stranger ${n}`, 'v5r1', 'testnet'));
  await Promise.all(strangers.map((stranger, n) => ask(stranger, `203.0.113.${n % 3}`)));
  const later = await ask(bob, '192.0.2.2');

  const both = [genuine.requestId, later.requestId];
  for (const type of ['pending-incoming', 'All'] as const) {
    const listed = await list(proxied, victim, type);
    expect(listed).toHaveLength(100);
    expect(idsOf(listed)).toEqual(expect.arrayContaining(both));
  }
  const app = await watching(proxied, victim);
  const [pending] = app.frames.flatMap(frame =>
    frame.event === 'pending_requests' ? [frame.data.requests] : [],
  );
  expect(idsOf(pending!)).toEqual(expect.arrayContaining(both));
  await proxied.stop();
});

it('an address that asks a wallet on several days has no more places than one that asks on one day', async () => {
  const asked = localWallet('asked for days', 'v4r2', 'testnet');
  const daily = await startRequestProgram(network, { roles: ['api'] });
  const ask = (n: number, days: number) => {
    const from = localWallet(`daily ${n}`, 'v5r1', 'testnet');
    const terms = { timestamp: unixNow() + days * 86_400, expirationSeconds: 604_800 };
    const publicKey = from.keys.publicKey.toString('hex');
    return post(daily, 'create', { ...createBody(from, asked, terms), publicKey });
  };
  const many = (from: number, to: number, days: number) =>
    Promise.all(Array.from({ length: to - from }, (_, n) => ask(from + n, days)));
  const first = await many(0, 50, 0);
  daily.advance(86_400_000);
  const second = await many(50, 100, 1);
  expect(new Set([...first, ...second].map(({ status }) => status))).toEqual(new Set([200]));
  expect(await ask(100, 1)).toMatchObject({ status: 429, body: { code: 'too_many_wallet_requests' } });
  await daily.stop();
});

it('what a wallet has answered stays in its list, whatever others have asked it since', async () => {
  const asked = localWallet('asked', 'v5r1', 'testnet');
  await network.deploy(asked);
  const answered = await created(alice, asked);
  expect((await respond(answered.requestId, 'confirmed', asked)).status).toBe(200);
  const strangers = Array.from({ length: 100 }, (_, n) => localWallet(`unknown ${n}`, 'v5r1', 'testnet'));
  await Promise.all(
    strangers.map(from => {
      const publicKey = from.keys.publicKey.toString('hex');
      return post(program, 'create', { ...createBody(from, asked, { expirationSeconds: 60 }), publicKey });
    }),
  );
  program.advance(60_000);
  other.advance(60_000);
  expect(idsOf(await list(program, asked))).toContain(answered.requestId);
});

it('a request that nobody answers expires: by the clock for who reads it, and soon after for who watches', async () => {
  const request = await created(alice, bob, { expirationSeconds: 120 });
  const [ofAlice, ofBob] = [await watching(program, alice), await watching(other, bob)];
  other.advance(120_000);
  const shown = async (through: RequestProgram) =>
    (await list(through, bob)).find(({ requestId }) => requestId === request.requestId)!.status;
  expect(await shown(other)).toBe('expired');
  expect(await list(other, alice, 'pending-outgoing')).not.toContainEqual(request);
  program.advance(120_000);
  expect((await respond(request.requestId, 'confirmed')).body).toMatchObject({
    code: 'wallet_request_expired',
  });
  for (const app of [ofAlice, ofBob])
    await until(() => app.notifications().includes(`expired ${request.requestId}`));
  expect(await shown(program)).toBe('expired');
});

it('a wallet has a bounded number of pending requests, which end and make room', async () => {
  const dave = localWallet('dave', 'v4r2', 'testnet');
  await network.deploy(dave);
  const now = unixNow();
  const bodies = Array.from({ length: 21 }, (_, n) =>
    createBody(dave, bob, { timestamp: now - n, expirationSeconds: 200 }),
  );
  const first = await Promise.all(bodies.slice(1).map(body => post(program, 'create', body)));
  expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await post(program, 'create', bodies[0]!)).toMatchObject({
    status: 429,
    body: { code: 'too_many_wallet_requests' },
  });
  expect((await post(program, 'create', bodies[1]!)).status).toBe(200);
  expect(await list(program, dave, 'pending-outgoing')).toHaveLength(20);
  program.advance(200_000);
  const later = createBody(dave, bob, { timestamp: unixNow() + 200 });
  expect((await post(program, 'create', later)).status).toBe(200);
});

it('requests and answers are limited by address', async () => {
  const limited = await startRequestProgram(network, {
    roles: ['api'],
    settings: { RATE_LIMIT_WALLET_REQUESTS: '2' },
  });
  const late = createBody(alice, bob, { timestamp: 0 });
  const answers = [
    await post(limited, 'create', late),
    await post(limited, 'respond', respondBody(bob, '0'.repeat(32), 'confirmed', { timestamp: 0 })),
    await post(limited, 'create', late),
  ];
  await limited.stop();
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 429]);
});

it.each([
  ['create', 'requestor', ['nobody', '', null, 5, `0:${'g'.repeat(64)}`]],
  ['create', 'confirmant', ['nobody', {}, undefined]],
  ['create', 'signature', ['', 'AAAA', 'x'.repeat(200), Buffer.alloc(65).toString('base64'), 1]],
  ['create', 'timestamp', ['1772366400', 1.5, -1, 2 ** 53, null, undefined]],
  ['create', 'network', ['devnet', 'MAINNET', '', null, undefined]],
  ['create', 'message', ['a|b', 'x'.repeat(501), 5, {}]],
  ['create', 'expirationSeconds', [0, -1, 604_801, 60.5, '60']],
  ['create', 'metadata', [{ long: 'x'.repeat(4_097) }]],
  ['create', 'publicKey', ['00', 'g'.repeat(64), 5]],
  ['respond', 'requestId', ['', '../x', 'A'.repeat(32), 5, undefined]],
  ['respond', 'walletAddress', ['nobody', null]],
  ['respond', 'status', ['pending', 'expired', 'Confirmed', '', null]],
  ['respond', 'response', ['x'.repeat(501), 5]],
])('%s refuses a wrong %s, and names it', async (path, field, values) => {
  const valid = path === 'create' ? createBody(alice, bob) : respondBody(bob, '0'.repeat(32), 'confirmed');
  for (const value of values) {
    const { status, body } = await post(program, path, { ...valid, [field]: value });
    expect([status, (body as { errors: { pointer: string }[] }).errors]).toEqual([
      400,
      expect.arrayContaining([expect.objectContaining({ pointer: `/body/${field}` })]),
    ]);
  }
});

it.each([
  [`/wallet-request/nobody/testnet/list`, 400],
  [`/wallet-request/${'0:' + '7'.repeat(64)}/devnet/list`, 400],
  [`/wallet-request/${'0:' + '7'.repeat(64)}/testnet/list?type=all`, 400],
  [`/wallet-request/${'0:' + '7'.repeat(64)}/sandbox/list?type=All`, 200],
  [`/wallet-request/${'0:' + '7'.repeat(64)}/testnet/watch/ws`, 426],
])('%s is a %i', async (path, status) => {
  expect((await fetch(program.url + path)).status).toBe(status);
});
