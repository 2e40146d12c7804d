import { setInterval } from 'node:timers/promises';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import { OBSERVATIONS_TOPIC } from '../../../contracts/observation/observation';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { readConfig } from '../../../infra/program/settings/config';
import { nominatorAfter, publishDeposit, stakeIn, STAKING_POOLS } from '../fill/ton-stakes';

/** Ten changes a second: each stake of the member changes once a second. */
const EVERY_MS = 100;
/** Changes of stakes for each deposit: one a second. */
const CHANGES_PER_DEPOSIT = 10;

/** Program: publishes stakes of a member as the worker of observations does, and now and then a deposit, as the tail does. */
async function main(deposits: number, newest: TransactionRef): Promise<void> {
  const { log } = openEmbeddedEngines(readConfig(process.env));
  process.send!('');
  let [changes, n, prev] = [0, 2 * deposits + 1, newest];
  for await (const _ of setInterval(EVERY_MS)) {
    const pool = STAKING_POOLS[changes++ % STAKING_POOLS.length]!;
    const stake = pool === STAKING_POOLS[0] ? [nominatorAfter(changes)] : [];
    await log.publish(OBSERVATIONS_TOPIC.name, [...stake, stakeIn(pool, changes)]);
    if (changes % CHANGES_PER_DEPOSIT > 0) continue;
    prev = await publishDeposit(log, n, prev);
    n += 2;
  }
}

const [deposits, lt, hash] = process.argv.slice(2) as [string, string, string];
void main(Number(deposits), { lt, hash });
