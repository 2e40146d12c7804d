import { formatTonAddress } from '../../../contracts/account/address';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { readConfig } from '../../../infra/program/settings/config';
import { project } from '../fill/projected';
import { fillTonContracts, unwatchedAddresses } from '../fill/ton-contracts';
import { fillTonHistories, OTHERS } from '../fill/ton-history';
import { declareTopics } from '../fill/topics';

export interface FilledContracts {
  /** Friendly address of an account with a page of history, whose contracts are known. */
  readonly address: string;
}

const TRANSACTIONS = 40;

/** Program: fills the data folder with a history, its contracts, and as many others as the argument says. */
async function main(count: number): Promise<void> {
  const engines = openEmbeddedEngines(readConfig(process.env));
  await declareTopics(engines.log);
  const [history] = await fillTonHistories(engines.log, 1, TRANSACTIONS);
  const { address } = history!;
  const others = OTHERS.map(other => formatTonAddress(other.toRawString(), 'mainnet'));
  await fillTonContracts(engines.log, [address, ...others, ...unwatchedAddresses(count)]);
  await project(engines);
  await engines.close();
  process.send!({ address } satisfies FilledContracts);
  process.disconnect();
}

void main(Number(process.argv[2]));
