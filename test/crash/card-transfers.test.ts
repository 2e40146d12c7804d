import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cardAccountStream } from '../../contracts/events/card-account';
import { cardVestingId, cardVestingStream } from '../../contracts/events/card-vesting';
import { compiledPath } from '../../infra/engines/compiled-path';
import { cardAccountKind } from '../../services/card/account/decider';
import { cardVestingKind } from '../../services/card/vesting/decider';
import { load } from '../../services/commands/load';
import { cardClient, keysOf } from '../card/holder';
import { openCard, recordingIssuer } from '../card/issuer';
import { startCardProgram } from '../card/program';
import type { TestProgram } from '../program';
import '../starts-programs';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import type { KillPoint } from './card-transfers';

// A job whose worker was killed is given to another one once its lease has ended.
jest.setTimeout(600_000);

const HOUR_MS = 3_600_000;
const began = Math.floor(Date.now() / 1_000) * 1_000;
const child = compiledPath('test/crash/card-transfers.ts');

const inProcess = (folder: string, now: number): Promise<TestProgram> =>
  startCardProgram(recordingIssuer(), { folder, clock: () => new Date(now) });

interface Vested {
  readonly creator: string;
  readonly beneficiary: string;
  readonly vestingId: string;
  /** Deposits 25,000, of which 10,000 are paid out each hour. */
  readonly deposit: (url: string) => Promise<number>;
}

/** Two holders with 100,000 each, and a vesting account of one that pays to the other. */
async function prepare(folder: string): Promise<Vested> {
  const program = await inProcess(folder, began);
  const client = cardClient(`${await program.listen()}/card`, 'mainnet', began);
  const enrolled = async () => {
    const name = randomUUID();
    const token = await client.enrol(keysOf(name));
    const { accountId } = await openCard(program, name, new Date(began).toISOString());
    return { token, accountId };
  };
  const [creator, beneficiary] = [await enrolled(), await enrolled()];
  await program.projected();
  const { status, body } = await client.post('/v2/account/vesting/create', {
    token: creator.token,
    id: creator.accountId,
    key: 'first',
    beneficiaryName: 'Bob',
    beneficiaryCryptoAccountId: beneficiary.accountId,
    unlockAmountPerPeriod: '10000',
    unlockPeriodSeconds: HOUR_MS / 1_000,
  });
  expect([status, body['code']]).toEqual([200, undefined]);
  await program.stop();
  const id = cardVestingId(creator.accountId, 'first');
  const order = { token: creator.token, id, amount: '25000', key: 'first' };
  return {
    creator: creator.accountId,
    beneficiary: beneficiary.accountId,
    vestingId: id,
    deposit: async url => (await cardClient(`${url}/card`).post('/v2/account/vesting/deposit', order)).status,
  };
}

async function start(folder: string, now: number, point: KillPoint) {
  const program = fork(child, [folder, String(now), JSON.stringify(point)]);
  const killed = once(program, 'close');
  const [url] = (await Promise.race([
    once(program, 'message'),
    killed.then(ended => Promise.reject(new Error(`the program has ended with ${String(ended)}`))),
  ])) as [string];
  return { url, killed };
}

/** What everybody has, and that nothing was made or lost. */
async function shares(
  { deps }: Pick<TestProgram, 'deps'>,
  { creator, beneficiary, vestingId }: Vested,
): Promise<readonly [creator: number, vesting: number, beneficiary: number]> {
  const { store } = deps.engines;
  const posted = async (accountId: string) =>
    Number((await load(store, cardAccountKind, cardAccountStream(accountId)))!.balance.posted);
  const { deposited, paidOut } = (await load(store, cardVestingKind, cardVestingStream(vestingId)))!;
  return [await posted(creator), Number(deposited) - Number(paidOut), await posted(beneficiary)];
}

/** Until nothing is under way between accounts any more. */
async function settled({ deps: { engines } }: TestProgram): Promise<void> {
  for (const queue of ['card-transfers', 'card-payouts'])
    await until(async () => {
      const counts = await engines.jobs.counts(queue);
      return Object.values(counts).every(count => count === 0);
    });
}

// At the same time, as each waits for the lease of a killed worker to end.
it.concurrent.each<KillPoint>([
  ['after', 'CardTransferSent'],
  ['before', 'CardVestingDeposited'],
  ['after', 'CardVestingDeposited'],
])('a deposit to a vesting account arrives once, although the program is killed %s %s', async (...point) => {
  const folder = temporaryFolder();
  const vested = await prepare(folder);
  const { url, killed } = await start(folder, began, point);
  await expect(vested.deposit(url)).rejects.toThrow('fetch failed');
  expect(await killed).toEqual([null, 'SIGKILL']);

  const again = await inProcess(folder, began);
  await until(async () => (await shares(again, vested))[1] === 25_000);
  // The application asks again, as it had no answer.
  expect(await vested.deposit(await again.listen())).toBe(200);
  await settled(again);
  expect(await shares(again, vested)).toEqual([75_000, 25_000, 100_000]);
  await again.stop();
});

it.concurrent.each<KillPoint>([
  ['after', 'CardVestingPaidOut'],
  ['before', 'CardTransferReceived'],
  ['after', 'CardTransferReceived'],
])('a payout of a vesting account arrives once, although the program is killed %s %s', async (...point) => {
  const folder = temporaryFolder();
  const vested = await prepare(folder);
  const before = await inProcess(folder, began);
  expect(await vested.deposit(await before.listen())).toBe(200);
  await before.stop();
  const { killed } = await start(folder, began + HOUR_MS, point);
  expect(await killed).toEqual([null, 'SIGKILL']);

  const again = await inProcess(folder, began + HOUR_MS);
  await until(async () => (await shares(again, vested))[2] === 110_000);
  await settled(again);
  expect(await shares(again, vested)).toEqual([75_000, 15_000, 110_000]);
  await again.stop();
});
