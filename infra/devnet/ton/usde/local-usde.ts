import { Address, type Cell, beginCell, toNano } from '@ton/core';
import { USDE_CONTRACTS } from '../../../../contracts/chain/ton-usde';
import type { TonNetwork } from '../../../../contracts/network/network';
import { MINTER_CODE, WALLET_CODE } from '../jetton/code';
import { jettonWalletAddress } from '../jetton/jetton';
import type { PlacedContract } from '../chain/placed-contract';
import { onChainContent } from '../token-content';
import { createActors } from '../traffic/actors';
import { STAKED_MINTER_CODE, STAKED_WALLET_CODE, VAULT_CODE } from './code';
import { stakedWalletAddress, stakedWalletData, vaultData } from './usde';

/** Units of USDe and of shares that the vault has from the start: a share is worth 1.0523 USDe. */
export const INITIAL_VAULT = { assets: 1_052_300_000_000n, shares: 1_000_000_000_000n } as const;
/** Units of USDe of each account of the network. */
const INITIAL_USDE = 100_000_000_000n;
/** Nanotons that each contract keeps for its storage. */
const RESERVE = toNano(1);

const content = (name: string, symbol: string): Cell =>
  onChainContent({
    name,
    symbol,
    decimals: 6,
    description: 'A jetton of a local network: it exists on this machine only and has no value.',
    image: `https://local.invalid/${symbol.toLowerCase()}.png`,
  });

const minterData = (supply: bigint, admin: Address, described: Cell, walletCode: Cell): Cell =>
  beginCell().storeCoins(supply).storeAddress(admin).storeRef(described).storeRef(walletCode).endCell();

/** Addresses of the contracts of USDe on a local network. */
export function localUsde(network: TonNetwork) {
  const { usde, stakedUsde, vault } = USDE_CONTRACTS[network];
  return {
    usde: Address.parseRaw(usde),
    stakedUsde: Address.parseRaw(stakedUsde),
    vault: Address.parseRaw(vault),
    /** Issues USDe, and pays the rewards. */
    issuer: createActors(network)[0]!.contract.address,
  };
}

/** USDe, its vault and the shares, of which the issuer has those that exist from the start. Every actor has USDe. */
export function usdeContracts(network: TonNetwork): readonly PlacedContract[] {
  const { usde, stakedUsde, vault, issuer } = localUsde(network);
  const { assets, shares } = INITIAL_VAULT;
  const place = (address: Address, code: Cell, data: Cell): PlacedContract => ({
    address,
    balance: RESERVE,
    init: { code, data },
  });
  const usdeWallet = (owner: Address, balance: bigint): PlacedContract =>
    place(
      jettonWalletAddress(usde, owner),
      WALLET_CODE,
      beginCell().storeCoins(balance).storeAddress(owner).storeAddress(usde).storeRef(WALLET_CODE).endCell(),
    );
  const holders = createActors(network).map(({ contract }) => contract.address);
  const supply = assets + INITIAL_USDE * BigInt(holders.length);
  const parties = { usdeWallet: jettonWalletAddress(usde, vault), stakedUsde, rewarder: issuer };
  return [
    place(usde, MINTER_CODE, minterData(supply, issuer, content('Local USDe', 'USDe'), WALLET_CODE)),
    place(
      stakedUsde,
      STAKED_MINTER_CODE,
      minterData(shares, vault, content('Local Staked USDe', 'tsUSDe'), STAKED_WALLET_CODE),
    ),
    place(vault, VAULT_CODE, vaultData(parties, assets, shares)),
    usdeWallet(vault, assets),
    ...holders.map(holder => usdeWallet(holder, INITIAL_USDE)),
    place(
      stakedWalletAddress(stakedUsde, issuer),
      STAKED_WALLET_CODE,
      stakedWalletData(stakedUsde, issuer, shares),
    ),
  ];
}
