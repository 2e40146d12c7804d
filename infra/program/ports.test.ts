import { createServer, type AddressInfo, type Server } from 'node:net';
import { readConfig } from './settings/config';
import { assertPortsFree } from './ports';
import { ROLES } from './features';

let taken: Server;
let port = 0;
beforeAll(async () => {
  taken = createServer();
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
  ({ port } = taken.address() as AddressInfo);
});
afterAll(() => new Promise(closed => taken.close(closed)));

const free = { PORT: '0', LOCAL_NETWORK_PORT: '0' };
const check = (settings: Record<string, string>, roles = ROLES) =>
  assertPortsFree(readConfig({ ...free, ...settings }), roles);

it.each(['PORT', 'METRICS_PORT', 'BRIDGE_PORT', 'TON_RPC_PORT_MAINNET', 'LOCAL_NETWORK_PORT'])(
  'names a taken port of %s in one line',
  async setting => {
    await expect(check({ [setting]: String(port) })).rejects.toThrow(
      `${setting}=${port}: another program listens on 127.0.0.1:${port} already`,
    );
  },
);

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

it('knows of two settings with one port', async () => {
  await new Promise(closed => taken.close(closed));
  const twice = String(port);
  await expect(check({ PORT: twice, METRICS_PORT: twice })).rejects.toThrow(`PORT=${twice}: another program`);
  await check({ PORT: twice });
  await check({ PORT: twice });
  await new Promise<void>(resolve => taken.listen(port, '127.0.0.1', resolve));
});
