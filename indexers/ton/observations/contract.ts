import {
  tonContractObserved,
  type TonContractObserved,
  type TonContractSubject,
} from '../../../contracts/chain/ton-contract';
import {
  defineObservation,
  type Clients,
  type ObservationSource,
  type Reading,
} from '../../../contracts/observation/observation';
import { readContractKind } from './contract-kinds';
import { contractSubject, TON_SOURCE } from './source';

/** Its limits are its own: a page of history asks for dozens of contracts, which must delay no other reads of TON. */
const SOURCE: ObservationSource<TonContractSubject> = { ...TON_SOURCE, name: 'ton-contracts' };

async function readContract(
  clients: Clients,
  { network, address }: TonContractSubject,
): Promise<Reading<TonContractObserved>> {
  const client = clients.ton(network);
  const { seqno } = await client.getLastBlock();
  const { status, codeHash, balance, lastTransaction } = await client.getAccountLite(seqno, address);
  const isUsed = status !== 'uninitialized' || balance > 0n || lastTransaction !== null;
  const data: TonContractObserved = {
    state: isUsed ? status : 'non-existing',
    codeHash,
    contract: codeHash === null ? null : await readContractKind(client, network, seqno, address, codeHash),
  };
  return { height: seqno, data };
}

/** The state of a contract, its code, and what kind of contract it is. */
export const tonContractObservation = defineObservation({
  kind: 'ton.contract',
  subject: contractSubject,
  schema: tonContractObserved,
  source: SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 10_000,
  ages: true,
  read: readContract,
});

/**
 * The same of a contract that was not observed so far; nothing is stored of it. Its limits are its own: addresses that
 * were made up delay no refresh of a known contract.
 */
export const unreadTonContract = defineObservation({
  kind: 'ton.unread.contract',
  recorded: false,
  subject: contractSubject,
  schema: tonContractObserved,
  source: { ...SOURCE, name: 'ton-unread-contracts' },
  ttlMs: 10_000,
  servesStale: false,
  maxEntries: 10_000,
  read: readContract,
});
