import { Address } from '@ton/core';
import type { TonNetwork } from '../network/network';
import type { JettonWallets } from './ton-jetton';
import type { TonMessageContent } from './ton-transaction';

/**
 * What a contract is. `staking_pool`: a nominator pool (tonwhales/ton-nominators); `liquid_pool`: one with a jetton, of which it is
 * the master; `staked_usde`: the master of tsUSDe; `usde_vault`: what holds the USDe for it.
 */
export type ContractKind =
  'nft_item' | 'jetton_master' | 'staking_pool' | 'liquid_pool' | 'staked_usde' | 'usde_vault';

/**
 * What contracts (raw addresses) are, of those that the messages of a transaction name. Anyone can send the message of one: who
 * is not in it has sent a message like any other.
 */
export type KnownContracts = Readonly<Record<string, ContractKind>>;

/** What is known of the contracts that a transaction names. */
export interface VerifiedContracts {
  readonly jettonWallets: JettonWallets;
  readonly contracts: KnownContracts;
}

/**
 * Whether a message returns what is left of the coins that paid for an operation (TEP-62, TEP-74), as jetton wallets, jetton
 * masters, liquid pools and NFT items do: anyone can send one that says so.
 */
export function isExcess(
  { info, jetton }: Pick<TonMessageContent, 'info' | 'jetton'>,
  { jettonWallets, contracts }: VerifiedContracts,
): boolean {
  if (jetton?.type !== 'excesses' || info.type !== 'internal') return false;
  const sender = contracts[info.src];
  return Boolean(jettonWallets[info.src]) || (sender !== undefined && RETURN_EXCESSES.includes(sender));
}

const RETURN_EXCESSES: readonly ContractKind[] = ['nft_item', 'jetton_master', 'liquid_pool'];

const raw = (addresses: readonly string[]): readonly string[] =>
  addresses.map(address => Address.parse(address).toRawString());

/** The nominator pools (tonwhales/ton-nominators) that the wallet app lists, raw. Operators may add others. */
export const NOMINATOR_POOLS: Readonly<Record<TonNetwork, readonly string[]>> = {
  mainnet: raw([
    'EQCkR1cGmnsE45N4K0otPl5EnxnRakmGqeJUNua5fkWhales',
    'EQCY4M6TZYnOMnGBQlqi_nyeaIB1LeBFfGgP4uXQ1VWhales',
    'EQCOj4wEjXUR59Kq0KeXUJouY5iAcujkmwJGsYX7qPnITEAM',
    'EQBI-wGVp_x0VFEjd7m9cEUD3tJ_bnxMSp0Tb9qz757ATEAM',
    'EQDFvnxuyA2ogNPOoEj1lu968U4PP8_FzJfrOWUsi_o1CLUB',
    'EQA_cc5tIQ4haNbMVFUD1d0bNRt17S7wgWEqfP_xEaTACLUB',
    'EQDhGXtbR6ejNQucRcoyzwiaF2Ke-5T8reptsiuZ_mLockup',
    'EQDg5ThqQ1t9eriIv2HkH6XUiUs_Wd4YmXZeGpnPzwLockup',
    'EQBYtJtQzU3M-AI23gFM91tW6kYlblVtjej59gS8P3uJ_ePN',
    'EQCpCjQigwF27KQ588VhQv9jm_DUuL_ZLY3HCf_9yZW5_ePN',
    'EQAA_5_dizuA1w6OpzTSYvXhvUwYTDNTW_MZDdZ0CGKeeper',
    'EQDvvBmP3wUcjoXPY1jHfT4-fgb294imVYH5EHdLnAKeeper',
  ]),
  testnet: raw([
    'kQDV1LTU0sWojmDUV4HulrlYPpxLWSUjM6F3lUurMbwhales',
    'kQCkXp5Z3tJ_eAjFG_0xbbfx2Oh_ESyY6Nk56zARZDwhales',
  ]),
};

/**
 * The liquid staking pool of each network, raw: where the wallet app looks for it. It is the master of the jetton wsTON. Local
 * networks have pools of their own there.
 */
export const LIQUID_STAKING_POOLS: Readonly<Record<TonNetwork, string>> = {
  mainnet: Address.parse('EQB0SoxuGDx5qjVt0P_bPICFeWdFLBmVopHhjgfs0q-wsTON').toRawString(),
  testnet: Address.parse('kQCSJnVYculwsyLUx_VT3qbIeYUs-nwfPsXjfo9VLYlIQuiD').toRawString(),
};
