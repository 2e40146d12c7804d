import { setInterval } from 'node:timers/promises';
import { Address } from '@ton/core';
import { OBSERVATIONS_TOPIC } from '../../../contracts/observation/observation';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { readConfig } from '../../../infra/program/settings/config';
import { jettonBalance, JETTONS } from '../fill/ton-jettons';

/** A hundred changes a second. */
const EVERY_MS = 10;

/** Program: publishes balances of an owner of jettons as the worker of observations does, one of them after the other. */
async function main(friendly: string): Promise<void> {
  const { log } = openEmbeddedEngines(readConfig(process.env));
  const owner = Address.parse(friendly).toRawString();
  process.send!('');
  let changes = 0;
  for await (const _ of setInterval(EVERY_MS)) {
    const balance = jettonBalance(owner, 1 + (changes % JETTONS), ++changes);
    await log.publish(OBSERVATIONS_TOPIC.name, [balance]);
  }
}

void main(process.argv[2]!);
