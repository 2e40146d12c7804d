import { beginCell, type Address, type Builder, type Cell } from '@ton/core';
import { OP } from '../bodies';

const GAS_LIMIT = 100_000n;
/** Of the wallet app: it sends these with the coins that the contract asks for. */
const USDE_QUERY = 69;
const USDE_FORWARD_VALUE = 100_000_000n;
const LIQUID_COLLECT = 0x4a10e022;
const USDE_CLAIM = 0xd750cec9;

const head = (op: number, query: number): Builder => beginCell().storeUint(op, 32).storeUint(query, 64);

/** To a nominator pool. */
export function deposit(): Cell {
  return head(OP.stakeDeposit, 7).storeCoins(GAS_LIMIT).endCell();
}

/** To a nominator pool. @param stake nanotons; 0 for all of them */
export function withdraw(stake: bigint): Cell {
  return head(OP.stakeWithdraw, 7).storeCoins(GAS_LIMIT).storeCoins(stake).endCell();
}

/** To the liquid pool. @param amount nanotons */
export function liquidDeposit(amount: bigint, response: Address): Cell {
  return head(OP.stakeDeposit, 0).storeCoins(amount).storeAddress(response).storeCoins(0).endCell();
}

/** To the liquid pool. @param jettons billionths of a wsTON */
export function liquidWithdraw(jettons: bigint, response: Address): Cell {
  return head(OP.stakeWithdraw, 0).storeCoins(jettons).storeAddress(response).endCell();
}

/** To the liquid pool. */
export function liquidCollect(response: Address): Cell {
  return head(LIQUID_COLLECT, 0).storeAddress(response).endCell();
}

interface UsdeMessage {
  readonly to: Address;
  readonly amount: bigint;
  readonly owner: Address;
}

const usdeTransfer = (op: number, { to, amount, owner }: UsdeMessage): Cell =>
  head(op, USDE_QUERY)
    .storeCoins(amount)
    .storeAddress(to)
    .storeAddress(owner)
    .storeBit(false)
    .storeCoins(USDE_FORWARD_VALUE)
    .storeBit(false)
    .endCell();

/** To the owner's wallet of USDe with `to` the vault stakes, to that of tsUSDe with `to` the master unstakes. */
export function usdeStake(message: UsdeMessage): Cell {
  return usdeTransfer(OP.jettonTransfer, message);
}

/** To the owner's wallet of tsUSDe, `to` the master. @param message with the units of USDe that are locked */
export function usdeClaim(message: UsdeMessage): Cell {
  return usdeTransfer(USDE_CLAIM, message);
}
