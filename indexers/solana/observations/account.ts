import { solanaAccountObserved } from '../../../contracts/chain/solana-observations';
import { defineObservation } from '../../../contracts/observation';
import { accountSubject, SOLANA_SOURCE } from './source';

/** The balance of an account, 0 when there is none. */
export const solanaAccountObservation = defineObservation({
  kind: 'solana.account',
  subject: accountSubject,
  schema: solanaAccountObserved,
  source: SOLANA_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 10_000,
  async read(clients, { network, address }) {
    const { slot, value } = await clients.solana(network).getBalance(address);
    return { height: slot, data: { balance: value.toString() } };
  },
});
