import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tidemark } from '../e2e/tidemark';
import { ask, startProgram } from '../outside-client/program';
import { readChain } from '../outside-client/ton/chain';
import { compareWithTruth } from '../outside-client/ton/compare';
import { nowhere, POOLS, relay } from '../outside-client/ton/contracts';
import { KINDS } from '../outside-client/ton/kinds/kinds';
import { connect } from '../outside-client/ton/node';
import { Scenario } from '../outside-client/ton/scenario';
import { Truth } from '../outside-client/ton/truth';
import { randomFrom, scaled, SEED } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { between, oneOf } from './load-target';
import { report } from './report';
import { LOCAL_NETWORKS } from '../local-networks';

const POOLS_KNOWN = {
  STAKING_POOLS_TESTNET: POOLS.map(({ address }) => address.toRawString()).join(','),
};

const NETWORK = 'testnet';
const CYCLES = scaled(1);
/** Saves a start of the program in `npm test`. */
const KILLS_DURING_BACKFILL = CYCLES > 1 ? 1 : 0;
/** Requests in a run of the program before it is killed. */
const MIN_REQUESTS = 5;
const MAX_MORE_MS = 1_000;
const MAX_BACKFILL_MS = 1_500;
const PAGE_SIZES = [7];

const folder = temporaryFolder();
const random = randomFrom(SEED);
const KILLED = { code: null, signal: 'SIGKILL' };

/** Makes transactions of random kinds until the program is killed, at any point of one of them. */
async function makeUntilKilled(program: Tidemark, scenario: Scenario): Promise<void> {
  let isKilled = false;
  const before = scenario.requests.length;
  const making = (async () => {
    while (!isKilled) await oneOf(KINDS).run(scenario, random);
  })().catch((error: unknown) => {
    if (!isKilled) throw error;
  });
  const enough = until(() => scenario.requests.length >= before + MIN_REQUESTS);
  await Promise.race([making, enough.then(() => sleep(between(0, MAX_MORE_MS)))]);
  isKilled = true;
  expect(await program.kill('SIGKILL')).toEqual(KILLED);
  await making;
}

const compare = (truth: Truth, { url }: Tidemark, isFollowing: boolean) =>
  compareWithTruth(truth, { url, network: NETWORK, isFollowing, pageSizes: () => PAGE_SIZES });

it(`shows TON transactions as the node does when it is killed ${CYCLES} times among them, and so does a backfill`, async () => {
  const data = join(folder, 'data');
  let program = await startProgram(data, POOLS_KNOWN);
  const scenario = new Scenario(await connect(program.url, NETWORK), program.url);
  const { alice, carol } = scenario.wallets;
  for (const { address } of [alice, carol, nowhere, relay]) await scenario.follow(address);
  await scenario.prepare();
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    await makeUntilKilled(program, scenario);
    program = await startProgram(data, POOLS_KNOWN);
    await scenario.reconnect(program.url);
  }
  const truth = new Truth(await readChain(scenario.node), scenario);
  const followed = await compare(truth, program, true);

  const fresh = {
    dataDir: join(folder, 'fresh'),
    settings: { ...POOLS_KNOWN, ...LOCAL_NETWORKS, TON_RPC_URL_TESTNET: scenario.node.endpoint },
  };
  let another = await startProgram(fresh.dataDir, fresh.settings);
  if (KILLS_DURING_BACKFILL > 0) {
    for (const account of truth.chain.accounts.keys())
      void ask(`${another.url}/transactions/${account}?network=${NETWORK}`).catch(() => undefined);
    await sleep(between(0, MAX_BACKFILL_MS));
    expect(await another.kill('SIGKILL')).toEqual(KILLED);
    another = await startProgram(fresh.dataDir, fresh.settings);
  }
  const backfilled = await compare(truth, another, false);
  for (const [account, entries] of truth.chain.accounts)
    if (truth.reachable(account).length === entries.length)
      expect(backfilled.get(account)).toEqual(followed.get(account));
  await another.kill('SIGTERM');
  await program.kill('SIGTERM');

  report([
    ['times killed', CYCLES + KILLS_DURING_BACKFILL],
    ['requests', scenario.requests.length],
    ['accounts compared', truth.chain.accounts.size],
    ['transactions compared', [...truth.chain.accounts.values()].flat().length],
  ]);
});
