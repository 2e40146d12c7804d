import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnTidemark, startTidemark, type Settings, type Tidemark } from '../e2e/tidemark';
import { Backend } from '../outside-client/solana/backend';
import { Chain } from '../outside-client/solana/chain';
import { compareWithNode } from '../outside-client/solana/compare';
import { KINDS } from '../outside-client/solana/kinds/kinds';
import { localNetwork } from '../outside-client/solana/local-network';
import { SolanaNode } from '../outside-client/solana/node';
import { createParties, walletsOf, type Parties } from '../outside-client/solana/parties';
import { ChainTruth } from '../outside-client/solana/truth';
import { randomFrom, scaled, SEED } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { report } from './report';
import { LOCAL_MAINNETS } from '../local-networks';

/*
 * Random transactions while the program that indexes them is killed again and again. The chain is that of another program,
 * which goes on. In the end the killed one, the other one, and a new one that was killed while it read the history, say the
 * same, and it is what the node says.
 */

const KILLS = scaled(0.25);
/** Of so many kills one comes before the program is ready. */
const KILL_DURING_STARTUP_EVERY = 3;
const MAX_UPTIME_MS = 2_500;
const MIN_TRANSACTIONS = 3;
const MAX_PAUSE_MS = 100;

const random = randomFrom(SEED);
const among = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

const folder = temporaryFolder();
const running: Tidemark[] = [];
afterAll(() => Promise.all(running.map(program => program.kill('SIGKILL'))));
const settingsOf = (name: string, more: Settings = {}): Settings => ({
  DATA_DIR: join(folder, name),
  LOCAL_TRAFFIC: 'false',
  ...LOCAL_MAINNETS,
  ...more,
});
async function start(settings: Settings): Promise<Tidemark> {
  const program = await startTidemark(settings);
  running.push(program);
  return program;
}

/** Sends random transactions until the signal, and sometimes forks the chain or lets slots be without a block. */
async function sendUntil(signal: AbortSignal, chain: Chain, parties: Parties, owner: Backend): Promise<void> {
  for (let sent = 0; sent < MIN_TRANSACTIONS || !signal.aborted; sent++) {
    // A fork may have taken what it needs.
    await among(KINDS)(chain, parties).catch(() => undefined);
    await sleep(random() * MAX_PAUSE_MS);
    const action = random();
    // Refused when the newest blocks are final already.
    if (action < 0.1) await control(owner, 'fork', { slots: 2, transactions: 'include' });
    else if (action < 0.2) await control(owner, 'skip', { slots: 2 });
  }
}

const control = (owner: Backend, action: 'fork' | 'skip', body: object) =>
  owner.post(`/devnet/solana/${action}`, { network: 'mainnet', ...body });

/** Reads histories for the first time, so that some are being read when the program is killed. */
async function readUntilKilled(backend: Backend, chain: Chain, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const accounts = chain.named();
    await backend.post('/solana/transactions/mainnet', { address: among(accounts) }).catch(() => undefined);
    await sleep(100);
  }
}

test(`a program that is killed ${KILLS} times says in the end what one that was not says`, async () => {
  const steady = await start(settingsOf('steady'));
  const network = await localNetwork(steady.url);
  const node = new SolanaNode(network.endpoint);
  const chain = new Chain(network, await import('@solana/spl-token'));
  const parties = await createParties(chain);
  await node.untilFinal();
  const remote = settingsOf('killed', network.settings);
  const owner = new Backend(steady.url);

  for (let kill = 1; kill <= KILLS; kill++) {
    const stop = new AbortController();
    const spawned = spawnTidemark(remote);
    const sending = sendUntil(stop.signal, chain, parties, owner);
    if (kill % KILL_DURING_STARTUP_EVERY === 0) await sleep(random() * MAX_UPTIME_MS);
    else {
      const reading = readUntilKilled(new Backend((await spawned.ready()).url), chain, stop.signal);
      await sleep(random() * MAX_UPTIME_MS);
      stop.abort();
      await reading;
    }
    expect(await spawned.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    stop.abort();
    await sending;
  }

  const truth = await ChainTruth.read(node, chain.sent);
  const fresh = settingsOf('fresh', network.settings);
  const unfinished = await start(fresh);
  const backend = new Backend(unfinished.url);
  for (const address of truth.accounts)
    void backend.transactions({ address, limit: 1 }).catch(() => undefined);
  await sleep(random() * MAX_UPTIME_MS);
  await unfinished.kill('SIGKILL');

  const programs = [steady, await start(remote), await start(fresh)];
  const histories = [];
  for (const { url } of programs) {
    const comparison = { backend: new Backend(url), truth, wallets: walletsOf(parties), pageSizes: [7] };
    histories.push(await compareWithNode({ ...comparison, isMeant: false }));
  }
  const [said, ...others] = histories;
  for (const other of others) expect(other).toEqual(said);
  report([
    ['times killed', KILLS + 1],
    ['transactions', chain.sent.length],
    ['accounts compared', truth.accounts.length],
  ]);
});
