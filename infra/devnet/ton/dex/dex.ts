import {
  type Address,
  type Cell,
  type MessageRelaxed,
  beginCell,
  contractAddress,
  internal,
} from '@ton/core';
import { WALLET_CODE } from '../jetton/code';
import { jettonTransferBody, jettonWalletAddress } from '../jetton/jetton';
import { FACTORY_CODE, POOL_CODE } from './code';

/** Operations of our pool. */
const OP = {
  sellCoins: 0x4c4d0001,
  addCoins: 0x4c4d0002,
  sellJettons: 0x4c4d0003,
  addJettons: 0x4c4d0004,
} as const;

export interface DexContract {
  readonly address: Address;
  readonly init: { readonly code: Cell; readonly data: Cell };
}

const contractOf = (code: Cell, data: Cell): DexContract => ({
  address: contractAddress(0, { code, data }),
  init: { code, data },
});

/** The contract of the local exchange that has the addresses of its pools; deployed or not, the same on every network. */
export function dexFactory(): DexContract {
  return contractOf(FACTORY_CODE, beginCell().storeRef(POOL_CODE).storeRef(WALLET_CODE).endCell());
}

/** The pool of coins and the jetton of a master with the code of `jetton-minter.fc`, deployed or not. */
export function dexPool(master: Address): DexContract {
  const data = beginCell().storeCoins(0).storeCoins(0).storeAddress(master).storeRef(WALLET_CODE).endCell();
  return contractOf(POOL_CODE, data);
}

/** Nanotons that a trade needs beside what is sold; what is left of them comes back. */
const TRADE_GAS = 200_000_000n;
/** Nanotons that bring jettons to a pool. */
const TRANSFER_GAS = 100_000_000n;

/** A message to a pool that sells it nanotons. It bounces rather than buy less than `minBought` units of the jetton. */
export function sellCoins(pool: Address, amount: bigint, minBought = 0n): MessageRelaxed {
  const body = beginCell().storeUint(OP.sellCoins, 32).storeUint(0, 64).storeCoins(amount);
  return internal({ to: pool, value: amount + TRADE_GAS, body: body.storeCoins(minBought).endCell() });
}

/** A message to a pool that brings it nanotons for good. */
export function addCoins(pool: DexContract, amount: bigint): MessageRelaxed {
  const body = beginCell().storeUint(OP.addCoins, 32).storeUint(0, 64).storeCoins(amount).endCell();
  return internal({ to: pool.address, value: amount + TRADE_GAS, init: pool.init, body });
}

/** Jettons of an owner, for a pool. */
export interface JettonsForPool {
  readonly master: Address;
  readonly owner: Address;
  readonly pool: Address;
  /** Smallest units. */
  readonly amount: bigint;
}

/** A message to the wallet of an owner that sells jettons. They come back rather than bring less than `minBought` nanotons. */
export function sellJettons(jettons: JettonsForPool, minBought = 0n): MessageRelaxed {
  return sent(jettons, beginCell().storeUint(OP.sellJettons, 32).storeUint(minBought, 128).endCell());
}

/** A message to the wallet of an owner that brings jettons to a pool for good. */
export function addJettons(jettons: JettonsForPool): MessageRelaxed {
  return sent(jettons, beginCell().storeUint(OP.addJettons, 32).endCell());
}

function sent({ master, owner, pool, amount }: JettonsForPool, forwardPayload: Cell): MessageRelaxed {
  return internal({
    to: jettonWalletAddress(master, owner),
    value: TRADE_GAS + TRANSFER_GAS,
    body: jettonTransferBody({ to: pool, amount, response: owner, forwardValue: TRADE_GAS, forwardPayload }),
  });
}
