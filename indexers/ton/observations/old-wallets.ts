import {
  OLD_WALLETS_MS,
  oldWalletsRead,
  type OldWallet,
  type OldWalletsSubject,
} from '../../../contracts/chain/ton-old-wallets';
import { oldWalletsOf } from '../../../contracts/chain/ton-wallet';
import type { TonAccountLite } from '../../../contracts/ports/ton-client';
import { defineObservation } from '../../../contracts/observation/observation';
import { TON_SOURCE } from './source';

/**
 * The wallets of a key before v4, all as of one block. Its limits are its own, and nothing is stored: anyone can think of any
 * number of keys.
 */
export const oldWalletsOfKey = defineObservation({
  kind: 'ton.wallets.old',
  recorded: false,
  subject: { format: ({ network, publicKey }: OldWalletsSubject) => `${network}/${publicKey}` },
  schema: oldWalletsRead,
  source: { ...TON_SOURCE, name: 'ton-old-wallets' },
  ttlMs: OLD_WALLETS_MS,
  servesStale: 'on-failure',
  maxEntries: 10_000,
  async read(clients, { network, publicKey }) {
    const client = clients.ton(network);
    const { seqno } = await client.getLastBlock();
    const wallets = await Promise.all(
      oldWalletsOf(Buffer.from(publicKey, 'hex')).map(async ({ version, address }) => {
        const account = await client.getAccountLite(seqno, address);
        return { version, address, ...shown(account) };
      }),
    );
    return { height: seqno, data: { seqno, wallets } };
  },
});

function shown(account: TonAccountLite): Omit<OldWallet, 'version' | 'address'> {
  const { balance, lastTransaction, storage } = account;
  return {
    balance: { coins: String(balance) },
    state: stateOf(account),
    last: lastTransaction,
    storageStat: storage && { ...storage, duePayment: storage.duePayment?.toString() ?? null },
  };
}

function stateOf({ codeHash, dataHash, stateHash }: TonAccountLite): OldWallet['state'] {
  if (codeHash !== null && dataHash !== null) return { type: 'active', codeHash, dataHash };
  return stateHash === null ? { type: 'uninit' } : { type: 'frozen', stateHash };
}
