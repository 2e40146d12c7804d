import { createServer } from 'node:http';
import { join } from 'node:path';
import { quietDevnet, silent } from '../../../test/devnet/ton';
import { openReplacedServer } from '../../../test/doubles/replaced-server';
import { temporaryFolder } from '../../../test/temporary-folder';
import { until } from '../../../test/until';
import { openSqliteDocuments } from '../../engines/documents/sqlite/sqlite-documents';
import { readConfig } from '../settings/config';
import { close, listen } from '../listen';
import { findNetworks } from './networks';
import { createSources } from './sources';
import { LOCAL_NETWORKS } from '../../../test/local-networks';

const folder = temporaryFolder();

it('names the node of TON that is on a fork in the health, and uses the other', async () => {
  const devnet = await quietDevnet({ dataDir: folder });
  const [right, wrong] = [await openReplacedServer(devnet.url), await openReplacedServer(devnet.url)];
  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  const stop = new AbortController();
  const config = readConfig({ ...LOCAL_NETWORKS, TON_RPC_URL_TESTNET: `${right.url},${wrong.url}` });
  const networks = await findNetworks(config);
  const sources = createSources({
    networks,
    config,
    documents,
    clients: {},
    logger: silent,
    signal: stop.signal,
  });
  const check = sources.checks.find(({ name }) => name === 'ton_testnet_sources')!;
  try {
    const nodes = sources.tonNodes('testnet');
    const { last } = await nodes.latest();
    expect(await check.run()).toBeNull();
    const rootHash = Buffer.alloc(32, 7).toString('base64');
    const newest = await (await fetch(`${devnet.url}/block/latest`)).json();
    wrong.answer = (request, response) => {
      if (request.url !== '/block/latest') return false;
      response.end(JSON.stringify({ ...(newest as object), last: { ...last, rootHash } }));
      return true;
    };
    await until(
      async () => (await nodes.latest(), check.run()),
      reason => reason !== null,
    );
    expect(await check.run()).toMatch(
      new RegExp(`^${wrong.url} is not used: its block ${last.seqno} is another`),
    );
    expect((await nodes.latest()).last).toEqual(last);
    expect(check.vital).toBe(false);
  } finally {
    stop.abort();
    await sources.close();
    await Promise.all([right.close(), wrong.close()]);
    await documents.close();
    await devnet.close();
  }
});

/** A port at which nothing listens. */
async function refusingUrl(): Promise<string> {
  const server = createServer();
  const settings = { host: 'HOST', port: 'PORT' };
  const url = await listen(server, { host: '127.0.0.1', port: 0, settings });
  await close(server);
  return url;
}

it.each([
  ['TON_RPC_URL_MAINNET', 'ton_mainnet_sources'],
  ['SOLANA_RPC_URL_DEVNET', 'solana_devnet_sources'],
])('names a source of %s that refuses every connection in the health', async (setting, name) => {
  const documents = openSqliteDocuments({ path: join(folder, `${name}.sqlite`) });
  const stop = new AbortController();
  const url = await refusingUrl();
  const local = [
    'TON_RPC_URL_MAINNET',
    'TON_RPC_URL_TESTNET',
    'SOLANA_RPC_URL_MAINNET',
    'SOLANA_RPC_URL_DEVNET',
  ];
  const config = readConfig({ ...Object.fromEntries(local.map(name => [name, 'local'])), [setting]: url });
  const sources = createSources({
    networks: await findNetworks(config),
    config,
    documents,
    clients: {},
    logger: silent,
    signal: stop.signal,
  });
  const { run } = sources.checks.find(each => each.name === name)!;
  try {
    expect(await run()).toBeNull();
    const read =
      setting === 'TON_RPC_URL_MAINNET'
        ? sources.ton('mainnet').block(1, AbortSignal.timeout(60_000))
        : sources.clients.solana('devnet').withFailover(node => node.rpc('getSlot', []));
    await Promise.allSettled([read]);
    expect(await run()).toMatch(new RegExp(`^${url} cannot be read: .*ECONNREFUSED`));
  } finally {
    stop.abort();
    await sources.close();
    await documents.close();
  }
});
