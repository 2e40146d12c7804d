import {
  Cell,
  type MessageRelaxed,
  SendMode,
  beginCell,
  external,
  loadShardAccount,
  storeMessage,
} from '@ton/core';
import type { WalletContractV5R1 } from '@ton/ton/dist/wallets/v5r1/WalletContractV5R1';
import type { Ed25519Key } from '../ed25519';
import type { Chain } from './chain/chain';
import type { Receipt } from './chain/execution';

/** Messages that one W5 transaction can send. */
export const MAX_ACTIONS = 255;
const NEVER_EXPIRES = 0xffff_ffff;

/** Sends from a W5 wallet that is active, on a chain that this process runs. Resolves once the transaction is stored. */
export type SendFromWallet = (messages: MessageRelaxed[]) => Promise<Receipt>;

/** Transactions are not to be sent at the same time: each uses the wallet's present seqno. */
export function chainWallet(chain: Chain, wallet: WalletContractV5R1, key: Ed25519Key): SendFromWallet {
  const address = wallet.address.toRawString();

  function seqno(): number {
    const boc = chain.ledger.account(address, chain.tip().seqno)!;
    const state = loadShardAccount(Cell.fromBoc(boc)[0]!.beginParse()).account!.storage.state;
    if (state.type !== 'active') throw new Error(`${address} is not active`);
    return state.state.data!.beginParse().skip(1).loadUint(32);
  }

  return async messages => {
    const body = await wallet.createTransfer({
      seqno: seqno(),
      signer: async message => key.sign(message.hash()),
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      timeout: NEVER_EXPIRES,
      messages,
    });
    const cell = beginCell()
      .store(storeMessage(external({ to: wallet.address, body })))
      .endCell();
    return chain.submit({ cell, destination: address });
  };
}
