import { z } from 'zod';
import {
  jettonBalanceObserved,
  jettonWalletObserved,
  type JettonOwnerSubject,
} from '../../../contracts/chain/ton-token-observations';
import { defineObservation } from '../../../contracts/observation/observation';
import { askWalletData, knownWalletOf, readJettonWallet } from '../jetton-wallets';
import { contractSubject, subjectOfAccount, TON_SOURCE } from './source';

/** A jetton wallet by its address, as its master confirms it. */
export const jettonWalletObservation = defineObservation({
  kind: 'ton.jetton.wallet',
  subject: contractSubject,
  schema: jettonWalletObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 10_000,
  ages: true,
  async read(clients, { network, address }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    const { wallet } = await readJettonWallet(client, address, height);
    if (!wallet || wallet.balance < 0n) return { height, data: null };
    const { balance, owner, master } = wallet;
    return { height, data: { balance: String(balance), owner, master } };
  },
});

/**
 * The balance of a wallet of an owner, which a transaction of the owner named and the master confirmed then: only the wallet
 * is asked.
 */
export const jettonBalanceObservation = defineObservation({
  kind: 'ton.jetton.balance',
  subject: subjectOfAccount('owner', 'wallet', 'jetton wallet of an owner'),
  schema: jettonBalanceObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 30_000,
  ages: true,
  async read(clients, { network, owner, wallet }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    const { value } = await askWalletData(client, height, wallet);
    if (value?.owner !== owner || value.balance < 0n) return { height, data: null };
    return { height, data: { balance: String(value.balance), master: value.master } };
  },
});

/**
 * The jetton wallet of an owner as the master says (raw), which never changes; null when the master says nothing. Its limits
 * are its own, and nothing is stored: anyone can think of any number of owners.
 */
export const jettonWalletAddressRead = defineObservation({
  kind: 'ton.jetton.wallet.address',
  recorded: false,
  subject: { format: ({ network, master, owner }: JettonOwnerSubject) => `${network}/${master}/${owner}` },
  schema: z.string().nullable(),
  source: { ...TON_SOURCE, name: 'ton-jetton-wallet-addresses' },
  // A master may be deployed at any time; what it said is cached by the client.
  ttlMs: 5_000,
  maxEntries: 10_000,
  async read(clients, subject) {
    return { height: null, data: await knownWalletOf(clients.ton(subject.network), subject) };
  },
});
