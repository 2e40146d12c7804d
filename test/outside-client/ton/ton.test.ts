import { randomFrom, SEED } from '../../random';
import type { Tidemark } from '../../e2e/tidemark';
import { temporaryFolder } from '../../temporary-folder';
import { startProgram } from '../program';
import { readChain } from './chain';
import { compareWithTruth } from './compare';
import { nowhere, POOLS, relay } from './contracts';
import { KINDS } from './kinds/kinds';
import { connect } from './node';
import { Scenario } from './scenario';
import { Truth } from './truth';

const NETWORK = 'mainnet';
/** Short pages of a long history, and a few of any other. */
const pageSizes = (transactions: number): number[] =>
  transactions > 30 ? [7, 16] : [Math.ceil(transactions / 2) + 1];

const folder = temporaryFolder();
let program: Tidemark;
let scenario: Scenario;

beforeAll(async () => {
  const pools = POOLS.map(({ address }) => address.toRawString());
  program = await startProgram(folder, { STAKING_POOLS_MAINNET: pools.join(',') });
  scenario = new Scenario(await connect(program.url, NETWORK), program.url);
  // The others are read only in the end.
  const { alice, carol } = scenario.wallets;
  for (const { address } of [alice, carol, nowhere, relay]) await scenario.follow(address);
  await scenario.prepare();
});
afterAll(() => program?.kill('SIGTERM'));

const random = randomFrom(SEED);

it.each(KINDS.map(kind => [kind.name, kind] as const))('makes %s', async (_name, kind) => {
  await kind.run(scenario, random);
});

it('reads each transaction once, in every history, as the node has it, and each action with what became of it', async () => {
  const truth = new Truth(await readChain(scenario.node), scenario);
  await compareWithTruth(truth, {
    url: program.url,
    network: NETWORK,
    isFollowing: true,
    pageSizes,
  });
});
