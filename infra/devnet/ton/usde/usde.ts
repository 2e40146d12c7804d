import { type Address, type Cell, beginCell, contractAddress } from '@ton/core';
import { type JettonTransfer, jettonTransferBody } from '../jetton/jetton';
import { STAKED_WALLET_CODE } from './code';

const CLAIM = 0xd750cec9;

/** Seconds from a request to unstake to its payment. */
export const LOCK_PERIOD = 604_800;
/** Nanotons that the wallet app sends with each of these messages, and those that notify the vault or the master. */
export const USDE_VALUE = 200_000_000n;
export const USDE_FORWARD_VALUE = 100_000_000n;

export interface VaultParties {
  /** The vault's wallet of USDe. */
  readonly usdeWallet: Address;
  /** The jetton master of the shares. */
  readonly stakedUsde: Address;
  /** What USDe this account sends is a reward. */
  readonly rewarder: Address;
}

/** The first data of a vault. */
export function vaultData(
  { usdeWallet, stakedUsde, rewarder }: VaultParties,
  assets: bigint,
  shares: bigint,
): Cell {
  const parties = beginCell().storeAddress(usdeWallet).storeAddress(stakedUsde).storeAddress(rewarder);
  return beginCell()
    .storeCoins(assets)
    .storeCoins(shares)
    .storeCoins(0)
    .storeUint(0, 32)
    .storeRef(parties)
    .endCell();
}

/** The data of a wallet of shares without a lock. */
export function stakedWalletData(stakedUsde: Address, owner: Address, balance: bigint): Cell {
  return beginCell()
    .storeCoins(balance)
    .storeAddress(owner)
    .storeAddress(stakedUsde)
    .storeRef(STAKED_WALLET_CODE)
    .storeCoins(0)
    .storeUint(0, 32)
    .endCell();
}

/** The wallet of shares of an owner, deployed or not. */
export function stakedWalletAddress(stakedUsde: Address, owner: Address): Address {
  return contractAddress(0, { code: STAKED_WALLET_CODE, data: stakedWalletData(stakedUsde, owner, 0n) });
}

type UsdeMessage = Pick<JettonTransfer, 'to' | 'amount' | 'response'>;

/** To the owner's wallet of USDe, `to` the vault: a stake; from the rewarder, a reward. Units of USDe. */
export function stakeBody(stake: UsdeMessage): Cell {
  return jettonTransferBody({ ...stake, forwardValue: USDE_FORWARD_VALUE, queryId: 69n });
}

/** To the owner's wallet of shares, `to` their master. Units of tsUSDe. */
export function unstakeBody(shares: UsdeMessage): Cell {
  return stakeBody(shares);
}

/** To the owner's wallet of shares, `to` their master. Units of USDe, which the wallet has locked. */
export function claimBody(claim: UsdeMessage): Cell {
  const transfer = stakeBody(claim).beginParse().skip(32);
  return beginCell().storeUint(CLAIM, 32).storeSlice(transfer).endCell();
}
