import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { readConfig } from '../../../infra/program/settings/config';
import { enrolCardHolders, fillCardHolders } from '../fill/card-holders';
import { project } from '../fill/projected';
import { declareTopics } from '../fill/topics';

/** Program: fills the data folder with card holders: with cards, or with tokens alone. Reports them. */
async function main(what: string, count: number): Promise<void> {
  const engines = openEmbeddedEngines(readConfig(process.env));
  await declareTopics(engines.log);
  const { store } = engines;
  const holders =
    what === 'cards' ? await fillCardHolders(store, count, 0) : await enrolCardHolders(store, count);
  await project(engines);
  await engines.close();
  // A long message is not sent at once.
  process.send!(holders, undefined, undefined, () => process.disconnect());
}

void main(process.argv[2]!, Number(process.argv[3]));
