import { once } from 'node:events';
import { WebSocket } from 'ws';
import { CARD_DEAD_TOKENS } from '../../contracts/http/card/mount';
import { quotaSetting } from '../../infra/config/settings';
import { cardUserId, cardUserStream } from '../../contracts/events/card-user';
import { cardAccountStream } from '../../contracts/events/card-account';
import { findCardAccount } from '../../projections/card/accounts';
import { cardAccountKind } from '../../services/card/account/decider';
import { OPENING } from './account';
import { card } from '../../infra/program/features/card';
import { cardUserKind, type CardUserCommand } from '../../services/card/user/decider';
import { MAX_STREAMS_OF_HOLDER } from '../../services/card/user/updates';
import { cardTokenKind } from '../../services/card/tokens/decider';
import { cardTokenStream } from '../../contracts/events/card-token';
import { digestOfToken } from '../../services/card/tokens/digest';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { cardClient, keysOf } from './holder';

const UNBOUNDED = { MAX_STREAMS_PER_CALLER: '0', MAX_CONNECTIONS_PER_CALLER: '0' };

let program: TestProgram;
let url: string;
let client: ReturnType<typeof cardClient>;
const sockets: WebSocket[] = [];

beforeAll(async () => {
  program = await startTestProgram({
    features: [card],
    settings: { CARD_SANDBOX: 'true', STREAM_HEARTBEAT_SECONDS: '1', ...UNBOUNDED },
  });
  url = await program.listen();
  client = cardClient(`${url}/card`);
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await program.stop();
});

interface Connection {
  readonly socket: WebSocket;
  readonly frames: string[];
  readonly closed: Promise<number>;
  pings: number;
}

async function open(path = '/card/v2/updates'): Promise<Connection> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`);
  sockets.push(socket);
  const closed = once(socket, 'close').then(([code]) => code as number);
  const connection: Connection = { socket, frames: [], closed, pings: 0 };
  socket.on('message', (data: Buffer) => connection.frames.push(data.toString()));
  socket.on('ping', () => (connection.pings += 1));
  await once(socket, 'open');
  return connection;
}

async function connect(token: string, path?: string): Promise<Connection> {
  const connection = await open(path);
  connection.socket.send(JSON.stringify({ type: 'connect', token }));
  return connection;
}
const framed = (connection: Connection, frame: string) =>
  until(async () => connection.frames.includes(frame));

/** Sockets that connect and send nothing. */
const SILENT = 200;

const CONNECTED = '{"type":"connected"}';
const ACCOUNTS = '{"type":"accounts_changed"}';
const STATE = '{"type":"state_change"}';
const INVALID = '{"type":"error","message":"invalid_token"}';

const now = () => ({ metadata: { now: new Date().toISOString(), actor: 'cli:anna' } });
const asOperator = (name: string, command: object) => {
  const userId = cardUserId('mainnet', keysOf(name).publicKey.toString('hex'));
  const full = { ...command, ...now() } as CardUserCommand;
  return program.deps.handle(cardUserKind, cardUserStream(userId), full);
};

describe('a card holder that is connected', () => {
  it('is notified of its changes, without what has changed, and others are not', async () => {
    const [mine, others] = [await client.enrol(keysOf('olivia')), await client.enrol(keysOf('peggy'))];
    const [own, beside] = [await connect(mine), await connect(others)];
    await framed(own, CONNECTED);
    await framed(beside, CONNECTED);
    await client.post('/v2/user/phone/start', { token: mine, phone: '+4930123456' });
    await framed(own, STATE);
    await client.post('/v2/user/phone/start', { token: others, phone: '+4930123457' });
    await framed(beside, STATE);
    // At the start of a projection anything may have changed: then all are told, of each kind.
    expect(beside.frames.filter(frame => [CONNECTED, STATE].includes(frame))).toEqual([CONNECTED, STATE]);
    for (const frame of own.frames) expect(frame).toMatch(/^\{"type":"[a-z_]+"\}$/);
  });

  it('is told that its accounts have changed once they are served so, and others are not', async () => {
    const [mine, others] = [await client.enrol(keysOf('sybil')), await client.enrol(keysOf('trent'))];
    const [own, beside] = [await connect(mine), await connect(others)];
    await framed(own, CONNECTED);
    await framed(beside, CONNECTED);
    const userId = cardUserId('mainnet', keysOf('sybil').publicKey.toString('hex'));
    const account = { ...OPENING, accountId: 'of sybil', userId, network: 'mainnet' as const };
    const stream = cardAccountStream(account.accountId);
    await program.deps.handle(cardAccountKind, stream, { type: 'open', account, ...now() });
    await framed(own, ACCOUNTS);
    expect(await findCardAccount(program.deps.engine.views, account.accountId)).not.toBeNull();
    expect(beside.frames).not.toContain(ACCOUNTS);
  });

  it('is pinged', async () => {
    const connection = await connect(await client.enrol(keysOf('quentin')));
    await until(async () => connection.pings >= 2);
  });

  it.each(['revoked', 'revoked with all others'])('is told and closed once its token is %s', async how => {
    const name = `rupert ${how}`;
    const [token, other] = [await client.enrol(keysOf(name)), await client.enrol(keysOf(name))];
    const [connection, second] = [await connect(token), await connect(other)];
    await framed(connection, CONNECTED);
    await framed(second, CONNECTED);
    if (how === 'revoked')
      await program.deps.handle(cardTokenKind, cardTokenStream(digestOfToken(token)), {
        type: 'revoke',
        ...now(),
      });
    else await asOperator(name, { type: 'revoke_tokens' });
    expect(await connection.closed).toBe(1008);
    expect(connection.frames.at(-1)).toBe(INVALID);
    if (how === 'revoked') expect(second.socket.readyState).toBe(WebSocket.OPEN);
    else expect(await second.closed).toBe(1008);
    expect((await client.post('/account/state', { token })).status).toBe(401);
  });
});

describe('a connection is closed', () => {
  it.each([
    ['with a token that nobody has', JSON.stringify({ type: 'connect', token: 'A'.repeat(43) }), 1008],
    ['with another first message', '{"type":"hello"}', 1008],
    ['with what is no JSON', 'connect', 1007],
    ['with a message of a mebibyte', JSON.stringify({ type: 'connect', token: 'A'.repeat(1 << 20) }), 1009],
  ])('%s', async (_what, message, code) => {
    const connection = await open();
    connection.socket.send(message);
    expect(await connection.closed).toBe(code);
    expect(connection.frames).toEqual(code === 1008 && message.includes('token') ? [INVALID] : []);
  });

  it('with a token of the other network', async () => {
    const connection = await connect(await client.enrol(keysOf('sybil')), '/card/testnet/v2/updates');
    expect(await connection.closed).toBe(1008);
    expect(connection.frames).toEqual([INVALID]);
  });

  it('when no token is sent, as are all others of many, and not one that has sent it', async () => {
    const connected = await connect(await client.enrol(keysOf('victor')));
    await framed(connected, CONNECTED);
    const silent = await Promise.all(Array.from({ length: SILENT }, () => open()));
    // What is no message does not count as one.
    for (const { socket } of silent.slice(0, 10)) socket.ping();
    expect(await Promise.all(silent.map(({ closed }) => closed))).toEqual(Array(SILENT).fill(1008));
    for (const { frames } of silent) expect(frames).toEqual([]);
    expect(connected.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('connections of one card holder', () => {
  it('have a bound: the oldest is closed, and those of others stay and are notified', async () => {
    const [mine, honest] = [await client.enrol(keysOf('mallory')), await client.enrol(keysOf('victor'))];
    const beside = await connect(honest);
    await framed(beside, CONNECTED);
    const own: Connection[] = [];
    for (let n = 0; n < MAX_STREAMS_OF_HOLDER + 3; n += 1) {
      own.push(await connect(mine));
      await framed(own.at(-1)!, CONNECTED);
    }
    for (const replaced of own.slice(0, 3)) expect(await replaced.closed).toBe(1013);
    for (const { socket } of own.slice(3)) expect(socket.readyState).toBe(WebSocket.OPEN);
    await client.post('/v2/user/phone/start', { token: honest, phone: '+4930123458' });
    await framed(beside, STATE);
    await client.post('/v2/user/phone/start', { token: mine, phone: '+4930123459' });
    for (const connection of own.slice(3)) await framed(connection, STATE);
  });
});

describe('tokens that are dead', () => {
  it('are counted with those of calls, while a holder at another address is connected', async () => {
    const limited = await startTestProgram({
      features: [card],
      settings: { CARD_SANDBOX: 'true', TRUSTED_PROXIES: '1', [quotaSetting(CARD_DEAD_TOKENS)]: '3' },
    });
    try {
      const base = await limited.listen();
      const token = await cardClient(`${base}/card`).enrol(keysOf('walter'));
      const firstOf = async (from: string, sent: string): Promise<unknown> => {
        const socket = new WebSocket(`${base.replace('http', 'ws')}/card/v2/updates`, {
          headers: { 'X-Forwarded-For': from },
        });
        sockets.push(socket);
        const frame = once(socket, 'message').then(([data]) => (data as Buffer).toString());
        const closed = once(socket, 'close').then(([code, reason]) => [code, (reason as Buffer).toString()]);
        await once(socket, 'open');
        socket.send(JSON.stringify({ type: 'connect', token: sent }));
        return Promise.race([frame, closed]);
      };
      const [stranger, honest] = ['203.0.113.1', '192.0.2.1'];
      const answers: unknown[] = [];
      for (let n = 0; n < 8; n += 1) answers.push(await firstOf(stranger, `${n}`.repeat(43)));
      expect(answers.slice(0, 3)).toEqual([INVALID, INVALID, INVALID]);
      expect(answers).toContainEqual([1013, 'rate_limited']);
      expect(await firstOf(honest, token)).toBe(CONNECTED);
      expect(await firstOf(stranger, token)).toBe(CONNECTED);
    } finally {
      await limited.stop();
    }
  });
});
