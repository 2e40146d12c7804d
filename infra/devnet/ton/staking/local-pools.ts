import { createHash } from 'node:crypto';
import { Address, toNano } from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton/dist/wallets/v5r1/WalletContractV5R1';
import { NOMINATOR_POOLS } from '../../../../contracts/chain/ton-verified-contracts';
import { TON_GLOBAL_IDS, type TonNetwork } from '../../../../contracts/network/network';
import { type Ed25519Key, ed25519Key } from '../../ed25519';
import type { PlacedContract } from '../chain/placed-contract';
import { POOL_CODE } from './code';
import { masterchainProxy, poolData } from './staking';

/** Of a stake. It exists in the elector only. */
export interface LocalValidator {
  readonly key: Ed25519Key;
  readonly adnl: Buffer;
  /** On the masterchain: where the stake comes from. */
  readonly proxy: Address;
}

/** A nominator pool of the local network, at an address that wallets know. */
export interface LocalStakingPool extends LocalValidator {
  readonly address: Address;
}

export interface LocalStakingWallet {
  readonly wallet: WalletContractV5R1;
  /** Public: the coins have no value. */
  readonly key: Ed25519Key;
}

/** Nanotons that the owner of a pool stakes: with them, each stake of a member is enough for the elector. */
const OWN_STAKE = toNano(500_000);
/** Nanotons that a pool and its proxy keep for their storage. */
export const RESERVE = toNano(1);

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @param name the same for the same keys */
export function localValidator(name: string, proxy: Address): LocalValidator {
  return {
    proxy,
    key: ed25519Key(sha256(`tidemark local pool ${name} validator`)),
    adnl: sha256(`tidemark local pool ${name} adnl`),
  };
}

function stakingWallet(role: string, network: TonNetwork): LocalStakingWallet {
  const key = ed25519Key(sha256(`tidemark local pool ${role}`));
  const walletId = { networkGlobalId: TON_GLOBAL_IDS[network] };
  return { key, wallet: WalletContractV5R1.create({ publicKey: key.publicKey, walletId }) };
}

/** Controls all pools of a network. */
export function poolController(network: TonNetwork): LocalStakingWallet {
  return stakingWallet('controller', network);
}

/** Owns all pools of a network. Its wallet is not deployed. */
export function poolOwner(network: TonNetwork): LocalStakingWallet {
  return stakingWallet('owner', network);
}

/** Those that the wallet app lists. */
export function localStakingPools(network: TonNetwork): readonly LocalStakingPool[] {
  return NOMINATOR_POOLS[network].map(raw => {
    const address = Address.parseRaw(raw);
    return { address, ...localValidator(raw, masterchainProxy(address).address) };
  });
}

/** Pools that their owner has staked in, with their proxies. */
export function poolContracts(network: TonNetwork): readonly PlacedContract[] {
  const owner = poolOwner(network).wallet.address;
  const controller = poolController(network).wallet.address;
  return localStakingPools(network).flatMap(({ address, proxy }) => [
    {
      address,
      balance: OWN_STAKE + RESERVE,
      init: { code: POOL_CODE, data: poolData({ owner, controller, proxy }, OWN_STAKE) },
    },
    { address: proxy, balance: RESERVE, init: masterchainProxy(address).init },
  ]);
}
