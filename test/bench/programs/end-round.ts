import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { readConfig } from '../../../infra/program/settings/config';
import { publishRoundEnd } from '../fill/ton-round';

/** Program: publishes the end of a round of a pool. */
async function main(): Promise<void> {
  const engines = openEmbeddedEngines(readConfig(process.env));
  await publishRoundEnd(engines.log);
  await engines.close();
  process.disconnect();
}

void main();
