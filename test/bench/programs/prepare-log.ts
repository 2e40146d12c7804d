import { TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { readConfig } from '../../../infra/program/settings/config';
import { historyProjection } from '../fill/history-projection';
import { project } from '../fill/projected';
import { tonMessages } from '../fill/ton-messages';
import { declareTopics } from '../fill/topics';

/** Messages that are projected before, so that there are documents, and a position to continue from. */
const BEFORE = 500;
const PUBLISHED_AT_ONCE = 1_000;

/** Program: a data folder with projected transactions, and so many that were published while no program ran. */
async function main(count: number): Promise<void> {
  const engines = openEmbeddedEngines(readConfig(process.env));
  await declareTopics(engines.log);
  const messages = await tonMessages(BEFORE + count);
  await engines.log.publish(TON_TRANSACTIONS.name, messages.slice(0, BEFORE));
  await project(engines, [historyProjection()]);
  for (let n = BEFORE; n < messages.length; n += PUBLISHED_AT_ONCE)
    await engines.log.publish(TON_TRANSACTIONS.name, messages.slice(n, n + PUBLISHED_AT_ONCE));
  await engines.close();
  process.send!('ready');
  process.disconnect();
}

void main(Number(process.argv[2]));
