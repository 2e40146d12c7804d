import {
  PRICED_SHARES,
  USDE_CONTRACTS,
  sharePriceObserved,
  type SharePriceDay,
  type SharePriceObserved,
} from '../../../contracts/chain/ton-usde';
import { TON_NETWORKS, type TonNetwork } from '../../../contracts/network/network';
import { defineObservation, type Clients, type Reading } from '../../../contracts/observation/observation';
import { askContract } from '../get-method';
import { networkSubject, TON_SOURCE } from './source';

const MAX_PRICE = 10n ** 18n;

async function readPrice({ ton }: Clients, network: TonNetwork): Promise<Reading<SharePriceObserved>> {
  const client = ton(network);
  const { seqno, now: time } = await client.getLastBlock();
  const { value } = await askContract(
    client,
    seqno,
    USDE_CONTRACTS[network].vault,
    'convertToAssets',
    [{ type: 'int', value: PRICED_SHARES }],
    stack => stack.readBigNumber(),
  );
  const isPrice = value !== null && value > 0n && value < MAX_PRICE;
  return { height: seqno, data: isPrice ? { price: String(value), seqno, time } : null };
}

/** What the shares of a network's vault are worth. While the vault says nothing it is what it said last. */
export const sharePriceObservation = defineObservation({
  kind: 'ton.usde.price',
  subject: networkSubject,
  schema: sharePriceObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 15_000,
  ages: false,
  changedBy: { accountOf: network => ({ address: USDE_CONTRACTS[network].vault, subject: { network } }) },
  read: (clients, { network }) => readPrice(clients, network),
  merge: (older, newer) => newer.data ?? older.data,
});

/** The first price that was read on a day, with which later ones are compared. It stays. */
export const dailySharePriceObservation = defineObservation({
  kind: 'ton.usde.price.day',
  subject: {
    format: ({ network, day }: SharePriceDay) => `${networkSubject.format({ network })}:${day}`,
    parse(text): SharePriceDay {
      const [, name, digits] = /^ton:([a-z]+):(\d{1,7})$/.exec(text) ?? [];
      const network = TON_NETWORKS.find(known => known === name);
      if (!network) throw new Error(`not a day of a TON network: ${text}`);
      return { network, day: Number(digits) };
    },
  },
  schema: sharePriceObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 86_400_000,
  ages: false,
  read: (clients, { network }) => readPrice(clients, network),
  merge: (older, newer) => older.data ?? newer.data,
});
