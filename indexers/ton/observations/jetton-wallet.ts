import { z } from 'zod';
import {
  jettonBalanceObserved,
  jettonWalletObserved,
  type JettonBalanceSubject,
  type JettonOwnerSubject,
} from '../../../contracts/chain/ton-token-observations';
import { defineObservation } from '../../../contracts/observation/observation';
import { GetMethodFailed } from '../../../contracts/ports/ton-client';
import { askContract } from '../get-method';
import { readJettonWallet } from '../jetton-wallets';
import { contractSubject, TON_SOURCE } from './source';

/** A jetton wallet by its address, as its master confirms it. */
export const jettonWalletObservation = defineObservation({
  kind: 'ton.jetton.wallet',
  subject: contractSubject,
  schema: jettonWalletObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 10_000,
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
 * is asked. The owner comes first in the id, so that the balances of an owner are one part of the collection.
 */
export const jettonBalanceObservation = defineObservation({
  kind: 'ton.jetton.balance',
  subject: {
    format: ({ network, owner, wallet }: JettonBalanceSubject) =>
      `${contractSubject.format({ network, address: owner })}/${wallet}`,
    parse(text): JettonBalanceSubject {
      const [account = '', wallet] = text.split('/');
      if (!wallet) throw new Error(`not a jetton wallet of an owner: ${text}`);
      const { network, address: owner } = contractSubject.parse(account);
      return { network, owner, wallet };
    },
  },
  schema: jettonBalanceObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 30_000,
  async read(clients, { network, owner, wallet }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    const { value } = await askContract(client, height, wallet, 'get_wallet_data', [], stack => ({
      balance: stack.readBigNumber(),
      owner: stack.readAddress().toRawString(),
      master: stack.readAddress().toRawString(),
    }));
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
  async read(clients, { network, master, owner }) {
    try {
      return { height: null, data: await clients.ton(network).getJettonWallet(master, owner) };
    } catch (error) {
      if (error instanceof GetMethodFailed) return { height: null, data: null };
      throw error;
    }
  },
});
