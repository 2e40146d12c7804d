import { randomInt } from 'node:crypto';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { temporaryFolder } from '../../test/temporary-folder';
import { CannotListen } from '../config/settings';
import { claimDataDir } from '../engines/data-dir-claim';
import { readConfig } from './settings/config';
import { assertPortsFree } from './ports';
import { ROLES } from './features';

/** @throws where another program has it */
const listen = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server));
  });
const close = (server: Server): Promise<unknown> => new Promise(closed => server.close(closed));

/** A port that is taken, above five that are free: below those that systems give to who asks for any. */
async function takePort(): Promise<Server> {
  for (;;) {
    const first = randomInt(20_000, 30_000);
    const opened: Server[] = [];
    try {
      for (let port = first; port <= first + 5; port += 1) opened.push(await listen(port));
    } catch {
      await Promise.all(opened.map(close));
      continue;
    }
    await Promise.all(opened.slice(0, -1).map(close));
    return opened.at(-1)!;
  }
}

let taken: Server;
let port = 0;
beforeAll(async () => {
  taken = await takePort();
  ({ port } = taken.address() as AddressInfo);
});
afterAll(() => close(taken));

const free = { PORT: '0', METRICS_PORT: '0', LOCAL_NETWORK_PORT: '0' };
const check = (settings: Record<string, string>, roles = ROLES) =>
  assertPortsFree(readConfig({ ...free, ...settings }), roles);

it.each([
  'PORT',
  'METRICS_PORT',
  'BRIDGE_PORT',
  'TON_RPC_PORT_MAINNET',
  'STAKING_INDEXER_PORT',
  'CARD_PORT',
  'CARD_TESTNET_PORT',
  'LOCAL_NETWORK_PORT',
])('names a taken port of %s in one line', async setting => {
  await expect(check({ [setting]: String(port) })).rejects.toThrow(
    `${setting}=${port}: another program listens on 127.0.0.1:${port} already`,
  );
});

it('knows each port of the local networks, and none of those that are real or off', async () => {
  await expect(check({ LOCAL_NETWORK_PORT: String(port - 5) })).rejects.toThrow(
    `another program listens on 127.0.0.1:${port} already`,
  );
  const url = 'https://node.example';
  const real = {
    TON_RPC_URL_MAINNET: url,
    TON_RPC_URL_TESTNET: url,
    SOLANA_RPC_URL_MAINNET: url,
    SOLANA_RPC_URL_DEVNET: url,
  };
  await check({ LOCAL_NETWORK_PORT: String(port - 5), ...real });
  await check({ LOCAL_NETWORK_PORT: String(port - 5), SOLANA_RPC_URL_DEVNET: 'off' });
  await check({ LOCAL_NETWORK_PORT: String(port - 5) }, ['api']);
});

it('names all ports that are taken', async () => {
  const second = await listen(0);
  const { port: other } = second.address() as AddressInfo;
  await expect(check({ PORT: String(port), METRICS_PORT: String(other) })).rejects.toThrow(
    `PORT=${port}: another program listens on 127.0.0.1:${port} already\nMETRICS_PORT=${other}: another program listens on 127.0.0.1:${other} already\nset others, such as PORT=${port + 100} METRICS_PORT=${other < 65_436 ? other + 100 : other - 100}`,
  );
  await close(second);
});

it.each([
  ['LOCAL_NETWORK_PORT', 100, 200],
  ['LOCAL_NETWORK_PORT', 95, 200],
  ['BRIDGE_PORT', 100, 200],
])('names others that %s, %i above it, does not have', async (setting, above, advised) => {
  await expect(check({ PORT: String(port), [setting]: String(port + above) })).rejects.toThrow(
    new RegExp(`such as PORT=${port + advised}$`),
  );
});

it('moves the ports of the local networks together', async () => {
  const first = port - 5;
  await expect(check({ LOCAL_NETWORK_PORT: String(first), PORT: String(first + 103) })).rejects.toThrow(
    new RegExp(`such as LOCAL_NETWORK_PORT=${first + 200}$`),
  );
});

it('names the data folder where the program that has the ports runs on it', async () => {
  const DATA_DIR = temporaryFolder();
  const release = claimDataDir(DATA_DIR);
  try {
    await expect(check({ DATA_DIR, PORT: String(port) })).rejects.toThrow(
      `DATA_DIR: ${JSON.stringify(DATA_DIR)}: another tidemark is running on this folder`,
    );
    await check({ DATA_DIR });
  } finally {
    release();
  }
});

it.each([
  [{ METRICS_PORT: 'same' }, 'METRICS_PORT is the same as PORT'],
  [{ BRIDGE_PORT: 'same', TON_RPC_PORT_MAINNET: 'same' }, 'BRIDGE_PORT is the same as PORT'],
  [{ METRICS_PORT: 'same', METRICS_HOST: '0.0.0.0' }, 'METRICS_PORT is the same as PORT'],
  [{ LOCAL_NETWORK_PORT: 'same' }, 'a port from LOCAL_NETWORK_PORT on is the same as PORT'],
])('names two settings with one port: %j', async (settings, message) => {
  const given = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, value.replace('same', String(port))]),
  );
  const attempt = check({ PORT: String(port), ...given });
  await expect(attempt).rejects.toThrow(`${message}: ${port}`);
  await expect(attempt).rejects.not.toBeInstanceOf(CannotListen);
});

it('leaves ports free', async () => {
  await new Promise(closed => taken.close(closed));
  const once = String(port);
  await check({ PORT: once });
  await check({ PORT: once });
  await new Promise<void>(resolve => taken.listen(port, '127.0.0.1', resolve));
});
