import { beginCell, storeStateInit, type Address } from '@ton/core';
import { keyPairFromSeed, type KeyPair } from '@ton/crypto';
import { WalletContractV4 } from '@ton/ton';
import { randomBytes } from 'node:crypto';
import { CHAIN, type TonAddressItemReply } from '@tonconnect/protocol';

export interface Account {
  readonly address: Address;
  readonly keys: KeyPair;
  readonly contract: WalletContractV4;
  /** How the wallet presents itself to a dApp. */
  readonly reply: TonAddressItemReply;
}

/** A wallet that is not deployed yet. */
export function newAccount(): Account {
  const keys = keyPairFromSeed(randomBytes(32));
  const contract = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
  const stateInit = beginCell().store(storeStateInit(contract.init)).endCell();
  return {
    address: contract.address,
    keys,
    contract,
    reply: {
      name: 'ton_addr',
      address: contract.address.toRawString(),
      network: CHAIN.MAINNET,
      publicKey: keys.publicKey.toString('hex'),
      walletStateInit: stateInit.toBoc().toString('base64'),
    },
  };
}
