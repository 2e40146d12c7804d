import { Address } from '@ton/core';
import {
  decodeTonMessage,
  encodeTonMessage,
  TON_TRANSACTIONS,
  type TonTransactionMessage,
} from '../../../contracts/chain/ton';
import type { JettonWallets } from '../../../contracts/chain/ton-jetton';
import { OBSERVATIONS_TOPIC } from '../../../contracts/observation/observation';
import type { Log, NewMessage } from '../../../contracts/ports/log';
import type { JettonMasterObserved } from '../../../contracts/chain/ton-token-observations';
import { jettonMasterObservation } from '../../../indexers/ton/observations/jetton-master';
import { jettonBalanceObservation } from '../../../indexers/ton/observations/jetton-wallet';
import { freshObservation } from './observations';
import { fillTonHistories } from './ton-history';

/** Of one owner. */
export const JETTONS = 200;
const NETWORK = 'mainnet';
const addressOf = (kind: string, n: number): string => `0:${kind}${n.toString(16).padStart(63, '0')}`;

/** The n-th jetton's balance of an owner (raw), as it is observed after a number of changes. */
export function jettonBalance(owner: string, n: number, changes: number): NewMessage {
  const { subject } = jettonBalanceObservation;
  const [wallet, master] = [addressOf('a', n), addressOf('b', n)];
  const data = { balance: String(1_000_000_007 * n + changes), master };
  return freshObservation(
    jettonBalanceObservation,
    subject.format({ network: NETWORK, owner, wallet }),
    data,
    changes,
  );
}

/** Gives the second account of the histories jettons: a transaction of it names their wallets, and all of them were observed. */
export async function fillTonJettons(log: Pick<Log, 'publish'>): Promise<void> {
  const models: NewMessage[] = [];
  const histories = await fillTonHistories(
    { publish: async (_topic, messages) => void models.push(messages[0]!) },
    2,
    1,
  );
  const owner = Address.parse(histories[1]!.address).toRawString();
  const wallets: Record<string, JettonWallets[string]> = {};
  const observed: NewMessage[] = [];
  for (let n = 1; n <= JETTONS; n++) {
    const [wallet, master] = [addressOf('a', n), addressOf('b', n)];
    wallets[wallet] = { master, owner };
    observed.push(
      jettonBalance(owner, n, 0),
      freshObservation(
        jettonMasterObservation,
        jettonMasterObservation.subject.format({ network: NETWORK, address: master }),
        masterOf(n, owner),
      ),
    );
  }
  const message = decodeTonMessage(models[1]!.value) as TonTransactionMessage;
  const value = encodeTonMessage({ ...message, jettonWallets: wallets });
  await log.publish(TON_TRANSACTIONS.name, [{ ...models[1]!, value }]);
  await log.publish(OBSERVATIONS_TOPIC.name, observed);
}

const masterOf = (n: number, admin: string): JettonMasterObserved => ({
  totalSupply: '1000000000000000',
  mintable: true,
  admin,
  content: {
    kind: 'onchain',
    uri: null,
    attributes: {
      name: `Jetton number ${n}`,
      symbol: `JET${n}`,
      description: 'A jetton of the bench, with a description of the usual length. '.repeat(3),
      image: `https://images.example/jettons/${n}/image-of-256-pixels.png`,
      decimals: 9,
      customPayloadApiUri: null,
      mintlessMerkleDumpUri: null,
    },
  },
});
