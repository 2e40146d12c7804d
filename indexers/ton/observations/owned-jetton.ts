import { z } from 'zod';
import type { JettonOwnerSubject } from '../../../contracts/chain/ton-token-observations';
import { defineObservation, type ObservationSource } from '../../../contracts/observation/observation';
import { GetMethodFailed, type TonClient } from '../../../contracts/ports/ton-client';
import { defineReadThrough } from '../../../contracts/observation/read-through';
import { askContract } from '../get-method';
import { contractSubject, TON_SOURCE } from './source';

/** Its limits are its own: who looks for jettons delays nobody who reads those that are known. */
const UNREAD_SOURCE: ObservationSource<JettonOwnerSubject> = {
  ...TON_SOURCE,
  name: 'ton-owned-jettons',
  maxConcurrent: 4,
  maxPerSecond: 20,
};

const owned = z.string().nullable();

/**
 * The jetton wallet (raw) of an owner as the master says, where it has jettons: no transaction of the owner names it when they
 * were received without a notification. It stays the owner's when they are gone. The owner comes first in the id, so that the
 * jettons of an owner are one part of the collection.
 */
export const ownedJettonObservation = defineObservation({
  kind: 'ton.jetton.owned',
  subject: {
    format: ({ network, owner, master }: JettonOwnerSubject) =>
      `${contractSubject.format({ network, address: owner })}/${master}`,
    parse(text): JettonOwnerSubject {
      const [account = '', master] = text.split('/');
      if (!master) throw new Error(`not a jetton of an owner: ${text}`);
      const { network, address: owner } = contractSubject.parse(account);
      return { network, owner, master };
    },
  },
  schema: owned,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 600_000,
  async read(clients, subject) {
    const client = clients.ton(subject.network);
    const { seqno: height } = await client.getLastBlock();
    return { height, data: await walletWithJettons(client, height, subject) };
  },
  merge: (older, newer) => newer.data ?? older.data,
});

/** The same, of which nothing is stored: most owners have no jettons of most masters. */
export const unreadOwnedJetton = defineReadThrough({
  name: 'ton.jetton.owned',
  key: ({ network, master, owner }: JettonOwnerSubject) => `${network}/${master}/${owner}`,
  schema: owned,
  source: UNREAD_SOURCE,
  ttlMs: 30_000,
  servesStale: false,
  maxEntries: 20_000,
  async read(clients, subject) {
    const client = clients.ton(subject.network);
    const { seqno } = await client.getLastBlock();
    return walletWithJettons(client, seqno, subject);
  },
});

async function walletWithJettons(
  client: TonClient,
  seqno: number,
  { master, owner }: JettonOwnerSubject,
): Promise<string | null> {
  let wallet: string;
  try {
    wallet = await client.getJettonWallet(master, owner);
  } catch (error) {
    if (error instanceof GetMethodFailed) return null;
    throw error;
  }
  const { value } = await askContract(client, seqno, wallet, 'get_wallet_data', [], stack => ({
    balance: stack.readBigNumber(),
    owner: stack.readAddress().toRawString(),
    master: stack.readAddress().toRawString(),
  }));
  return value && value.balance > 0n && value.owner === owner && value.master === master ? wallet : null;
}
