import { solanaAccountObserved } from '../../../contracts/chain/solana-observations';
import { defineObservation } from '../../../contracts/observation/observation';
import { accountSubject, SOLANA_SOURCE } from './source';

/** The balance of an account and what else is known of it without its data. */
export const solanaAccountObservation = defineObservation({
  kind: 'solana.account',
  subject: accountSubject,
  schema: solanaAccountObserved,
  source: SOLANA_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 10_000,
  ages: true,
  async read(clients, { network, address }) {
    const { slot, value } = await clients.solana(network).getAccount(address);
    return { height: slot, data: value };
  },
});
