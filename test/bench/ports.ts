import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port of this machine that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Settings under which the program starts no local network: the URL of each chain is a closed port. */
export async function withoutNetworks(): Promise<Record<string, string>> {
  const url = `http://127.0.0.1:${await freePort()}`;
  return {
    TON_RPC_URL_MAINNET: url,
    TON_RPC_URL_TESTNET: url,
    SOLANA_RPC_URL_MAINNET: url,
    SOLANA_RPC_URL_DEVNET: url,
    LOG_LEVEL: 'fatal',
  };
}
