import { z } from 'zod';
import type { JettonOwnerSubject } from '../../../contracts/chain/ton-token-observations';
import {
  defineObservation,
  type Clients,
  type ObservationSource,
  type Reading,
} from '../../../contracts/observation/observation';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { askWalletData, knownWalletOf } from '../jetton-wallets';
import { subjectOfAccount, TON_SOURCE } from './source';

/** Its limits are its own: who looks for jettons delays nobody who reads those that are known. */
const UNREAD_SOURCE: ObservationSource<JettonOwnerSubject> = {
  ...TON_SOURCE,
  name: 'ton-owned-jettons',
  maxConcurrent: 4,
  maxPerSecond: 20,
};

const owned = z.string().nullable();

const subject = subjectOfAccount('owner', 'master', 'jetton of an owner');

async function readOwned({ ton }: Clients, jetton: JettonOwnerSubject): Promise<Reading<string | null>> {
  const client = ton(jetton.network);
  const { seqno: height } = await client.getLastBlock();
  return { height, data: await walletWithJettons(client, height, jetton) };
}

/**
 * The jetton wallet (raw) of an owner as the master says, where it has jettons: no transaction of the owner names it when they
 * were received without a notification. It stays the owner's when they are gone.
 */
export const ownedJettonObservation = defineObservation({
  kind: 'ton.jetton.owned',
  subject,
  schema: owned,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 600_000,
  ages: true,
  read: readOwned,
  merge: (older, newer) => newer.data ?? older.data,
});

/** The same, of which nothing is stored: most owners have no jettons of most masters. */
export const unreadOwnedJetton = defineObservation({
  kind: 'ton.unread.jetton.owned',
  recorded: false,
  subject,
  schema: owned,
  source: UNREAD_SOURCE,
  ttlMs: 30_000,
  servesStale: false,
  maxEntries: 20_000,
  read: readOwned,
});

async function walletWithJettons(
  client: TonClient,
  seqno: number,
  { master, owner }: JettonOwnerSubject,
): Promise<string | null> {
  const wallet = await knownWalletOf(client, { master, owner });
  if (wallet === null) return null;
  const { value } = await askWalletData(client, seqno, wallet);
  return value && value.balance > 0n && value.owner === owner && value.master === master ? wallet : null;
}
