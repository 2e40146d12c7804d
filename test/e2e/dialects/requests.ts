import type { z } from 'zod';
import type { TonNetwork } from '../../../contracts/network/network';
import type { appSchemas } from './app-schemas';

/** A request as a client writes it. */
export interface DialectRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/** One request in both dialects. */
export interface Asked {
  /** As the public wallet app sends it. */
  readonly app: DialectRequest;
  /** As the specification writes it; null where the app writes it so. */
  readonly spec: DialectRequest | null;
  /** What the answer says, with the fields that the specification names. */
  readonly says: unknown;
}

export interface Row {
  /** The row of the specification. */
  readonly row: string;
  readonly accepts: (schemas: ReturnType<typeof appSchemas>) => z.ZodType;
  ask(world: World): Asked | Promise<Asked>;
}

/** What there is on one of the local networks. Addresses are friendly. */
export interface World {
  /** Where the program answers. */
  readonly url: string;
  readonly network: TonNetwork;
  /** Wallet v5, which has every token; its address is not bounceable. */
  readonly owner: string;
  readonly rawOwner: string;
  /** Of the same person. */
  readonly solana: string;
  /** The jetton of the local traffic. */
  readonly jetton: { readonly master: string; readonly rawMaster: string; readonly wallet: string };
  readonly mintless: string;
  /** The item that the owner has. */
  readonly item: string;
  readonly collection: string;
  readonly extraCurrency: number;
  readonly staking: StakingWorld;
  /** The newest block. */
  readonly seqno: number;
  /** The newest transaction of the owner, as the node has it. */
  last(): Promise<{ readonly lt: string; readonly hash: string }>;
  /** The hash of the newest external message of the owner, and of the transaction (both hex) that it became. */
  sent(): Promise<{ readonly messageHash: string; readonly hash: string }>;
  /** The id of the latest election. */
  election(): Promise<number>;
}

/** Who has staked from the start, and where. */
export interface StakingWorld {
  readonly pool: string;
  readonly staker: string;
  readonly liquidPool: string;
  readonly liquidStaker: string;
  readonly rawLiquidStaker: string;
  readonly stakedUsde: string;
  readonly usdeStaker: string;
}

export function get(path: string): DialectRequest {
  return { method: 'GET', path };
}

export function post(path: string, body: object): DialectRequest {
  return { method: 'POST', path, body };
}

/** Apps name the test network in the query, and leave `isTestnet` out on mainnet. */
export function testnetQuery({ network }: World, ...more: readonly string[]): string {
  const query = [...(network === 'testnet' ? ['isTestnet=true'] : []), ...more];
  return query.length === 0 ? '' : `?${query.join('&')}`;
}
