import { once } from 'node:events';
import { WebSocket } from 'ws';
import { cardUserId, cardUserStream } from '../../contracts/events/card-user';
import { cardAccountStream } from '../../contracts/events/card-account';
import { findCardAccount } from '../../projections/card/accounts';
import { cardAccountKind } from '../../services/card/account/decider';
import { OPENING } from './account';
import { card } from '../../infra/program/features/card';
import { cardUserKind, type CardUserCommand } from '../../services/card/user/decider';
import { cardTokenKind } from '../../services/card/tokens/decider';
import { cardTokenStream } from '../../contracts/events/card-token';
import { digestOfToken } from '../../services/card/tokens/digest';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { cardClient, keysOf } from './holder';

let program: TestProgram;
let url: string;
let client: ReturnType<typeof cardClient>;
const sockets: WebSocket[] = [];

beforeAll(async () => {
  program = await startTestProgram({
    features: [card],
    settings: { CARD_SANDBOX: 'true', STREAM_HEARTBEAT_SECONDS: '1' },
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

  it('when no token is sent', async () => {
    const connection = await open();
    expect(await connection.closed).toBe(1008);
    expect(connection.frames).toEqual([]);
  });
});
