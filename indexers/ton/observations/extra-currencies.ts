import { extraCurrenciesObserved } from '../../../contracts/chain/ton-token-observations';
import { defineObservation } from '../../../contracts/observation/observation';
import { contractSubject, TON_SOURCE } from './source';

/** The extra currencies of an account. */
export const extraCurrenciesObservation = defineObservation({
  kind: 'ton.extra.currencies',
  subject: contractSubject,
  schema: extraCurrenciesObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 30_000,
  ages: true,
  async read(clients, { network, address }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    const { currencies, lastTransaction } = await client.getAccount(height, address);
    const amounts = Object.fromEntries(
      Object.entries(currencies)
        .map(([id, amount]) => [id, BigInt(amount)] as const)
        .filter(([, amount]) => amount > 0n)
        .map(([id, amount]) => [id, amount.toString()]),
    );
    return { height, data: { lt: lastTransaction?.lt ?? '0', amounts } };
  },
});
