import { Address } from '@ton/core';
import { z } from 'zod';
import type { TonNetwork } from '../network/network';

/** Raw addresses. */
export interface UsdeContracts {
  /** The jetton master of USDe. */
  readonly usde: string;
  /** The jetton master of tsUSDe, the shares of those who have staked USDe. */
  readonly stakedUsde: string;
  /** Holds what is staked. */
  readonly vault: string;
}

const raw = (address: string): string => Address.parse(address).toRawString();

/** Those of the mainnet are Ethena's, which the wallet app knows; those of the testnet exist on local networks alone. */
export const USDE_CONTRACTS: Readonly<Record<TonNetwork, UsdeContracts>> = {
  mainnet: {
    usde: raw('EQAIb6KmdfdDR7CN1GBqVJuP25iCnLKCvBlJ07Evuu2dzP5f'),
    stakedUsde: raw('EQDQ5UUyPHrLcQJlPAczd_fjxn8SLrlNQwolBznxCdSlfQwr'),
    vault: raw('EQChGuD1u0e7KUWHH5FaYh_ygcLXhsdG2nSHPXHW8qqnpZXW'),
  },
  testnet: {
    usde: '0:2863736402698f752846e50fb1c2ce5a9e072ea119e08b20e0d67005b7b7a96d',
    stakedUsde: '0:e9bd2d5b52e2873c4186d4b677d9e55e9fa0d18e85da13e86de2dd2f05c67d17',
    vault: '0:714b27f490312861f95cdedd4a2ae710de287ead5df1d87d2df1e2a34e9685e2',
  },
};

const units = z.string().regex(/^\d+$/);

/** How many shares `price` is of, which is what wallets ask for. */
export const PRICED_SHARES = 1_000_000_000n;

/**
 * Data of `ton.usde.price`: what the shares of the vault are worth. Null where no vault was ever found. It has a block of its own,
 * since a reading that found no price leaves the last one.
 */
export const sharePriceObserved = z
  .object({
    /** Units of USDe that 10^9 units of tsUSDe are worth; not 0. */
    price: z.string().regex(/^[1-9]\d{0,17}$/),
    seqno: z.int(),
    /** Unix seconds. */
    time: z.int(),
  })
  .nullable();
export type SharePriceObserved = z.infer<typeof sharePriceObserved>;
export type SharePrice = NonNullable<SharePriceObserved>;

/** A day of a network, by its own clock. */
export interface SharePriceDay {
  readonly network: TonNetwork;
  /** Days since the epoch. */
  readonly day: number;
}

/** Data of `ton.usde.member`: what an account has staked; null for who never had a wallet of shares. */
export const usdeMemberObserved = z
  .object({
    /** The account's wallet of tsUSDe, raw; absent in what earlier versions have read. */
    wallet: z.string().optional(),
    /** Units of tsUSDe. */
    balance: units,
    /** Units of USDe that are unstaked and not claimed, and when they can be claimed, Unix seconds. */
    locked: units,
    unlockAt: z.int().min(0),
  })
  .nullable();
/** So long what was read of a member that is not stored is served from memory, in milliseconds. */
export const UNREAD_USDE_MEMBER_MS = 30_000;
export type UsdeMemberObserved = z.infer<typeof usdeMemberObserved>;
