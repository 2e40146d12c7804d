import { type Address, beginCell, type Cell, contractAddress } from '@ton/core';
import { MINTER_CODE, WALLET_CODE } from '../../infra/devnet/ton/jetton/code';
import type { JettonMaster } from '../../infra/devnet/ton/jetton/jetton';

/** Off-chain content of TEP-64: the URL of a document with the attributes. */
export function offChainContent(uri: string): Cell {
  return beginCell().storeUint(1, 8).storeStringTail(uri).endCell();
}

/** A master of the local network with any content cell. */
export function masterWithContent(admin: Address, content: Cell): JettonMaster {
  const data = beginCell()
    .storeCoins(0)
    .storeAddress(admin)
    .storeRef(content)
    .storeRef(WALLET_CODE)
    .endCell();
  const init = { code: MINTER_CODE, data };
  return { address: contractAddress(0, init), init };
}
