import { once } from 'node:events';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { readConfig } from '../../../infra/program/settings/config';
import { publishRoundEnd } from '../fill/ton-round';

/** Program: publishes the end of a round of a pool when it is told to, since its start takes processor time of its own. */
async function main(): Promise<void> {
  const engines = openEmbeddedEngines(readConfig(process.env));
  process.send!('ready');
  await once(process, 'message');
  await publishRoundEnd(engines.log);
  await engines.close();
  process.disconnect();
}

void main();
