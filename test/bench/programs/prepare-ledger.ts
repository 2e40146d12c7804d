import { readConfig } from '../../../infra/program/settings/config';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { fillFees } from '../fill/fees';
import { project } from '../fill/projected';
import { declareTopics } from '../fill/topics';

/** Program: fills the data folder with that many events of fees, and projects them. */
async function main(events: number): Promise<void> {
  const engines = openEmbeddedEngines(readConfig(process.env));
  await declareTopics(engines.log);
  await fillFees(engines.store, events);
  await project(engines);
  await engines.close();
  process.send!('ready');
  process.disconnect();
}

void main(Number(process.argv[2]));
