import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { readConfig } from '../../../infra/program/settings/config';
import { project } from '../fill/projected';
import { declareTopics } from '../fill/topics';
import { fillPoolMembers } from '../fill/ton-round';
import { fillTonStakes } from '../fill/ton-stakes';

const DEPOSITS = 10;

/** Program: fills the data folder with so many members of a pool, and with one that has stakes in ten. */
async function main(count: number): Promise<void> {
  const engines = openEmbeddedEngines(readConfig(process.env));
  await declareTopics(engines.log);
  await fillTonStakes(engines.log, DEPOSITS);
  await fillPoolMembers(engines.log, count);
  await project(engines);
  await engines.close();
  process.disconnect();
}

void main(Number(process.argv[2]));
