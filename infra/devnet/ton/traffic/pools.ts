import { createHash } from 'node:crypto';
import { internal, type MessageRelaxed, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import type { TonNetwork } from '../../../../contracts/network/network';
import {
  addCoins,
  addJettons,
  type DexContract,
  dexFactory,
  dexPool,
  sellCoins,
  sellJettons,
} from '../dex/dex';
import type { JettonMaster } from '../jetton/jetton';
import { transfer } from '../wallets';
import type { Actor } from './actors';
import { localJettons } from './local-tokens';
import type { FundAccount } from './seed';

/** The pool of a jetton of the local exchange. */
export interface LocalPool {
  readonly jetton: JettonMaster;
  readonly pool: DexContract;
  /** What it had at first: nanotons and smallest units. */
  readonly coins: bigint;
  readonly jettons: bigint;
}

/** Nanotons that pay for the storage of a contract, and what it costs to open the pools. */
const STORAGE = toNano(1);
const COSTS = toNano(10);

/** @param jettons in the order of `localJettons` */
export function localPools(network: TonNetwork, jettons: readonly JettonMaster[]): LocalPool[] {
  return localJettons(network).flatMap(({ pool }, i) => {
    const jetton = jettons[i]!;
    return pool ? [{ jetton, pool: dexPool(jetton.address), ...pool }] : [];
  });
}

/** Deploys the local exchange, and its pools with what the issuer gives them, unless that was done before. */
export async function openPools(
  client: TonClient4,
  pools: readonly LocalPool[],
  issuer: Actor,
  fund: FundAccount,
): Promise<void> {
  const factory = dexFactory();
  const { last } = await client.getLastBlock();
  if (await client.isContractDeployed(last.seqno, factory.address)) return;
  const owner = issuer.contract.address;
  const needed = pools.reduce((sum, { coins }) => sum + coins + STORAGE, COSTS);
  await fund(owner.toRawString(), needed);
  const deployed = ({ address, init }: DexContract): MessageRelaxed =>
    internal({ to: address, value: STORAGE, init, bounce: false });
  // One transaction: a start that is interrupted has opened all or none.
  await transfer(client, issuer, [
    ...pools.flatMap(({ jetton, pool, coins, jettons }) => [
      deployed(pool),
      addCoins(pool, coins),
      addJettons({ master: jetton.address, owner, pool: pool.address, amount: jettons }),
    ]),
    deployed(factory),
  ]);
}

/** Parts of a pool that are traded at a time: from one in 5,000 to one in 1,200. */
const MIN_DIVISOR = 1_200n;
const DIVISORS = 3_800n;

export interface NextTrade {
  readonly from: Actor;
  readonly message: MessageRelaxed;
}

/** The n-th trade: it looks random, and is the same at each run. */
export function nextTrade(n: number, traders: readonly Actor[], pools: readonly LocalPool[]): NextTrade {
  const drawn = createHash('sha256').update(`local trade ${n}`).digest();
  const { jetton, pool, coins, jettons } = pools[n % pools.length]!;
  const from = traders[drawn[0]! % traders.length]!;
  const divisor = MIN_DIVISOR + (BigInt(drawn.readUInt32BE(1)) % DIVISORS);
  const message =
    drawn[5]! % 2 === 0
      ? sellCoins(pool.address, coins / divisor)
      : sellJettons({
          master: jetton.address,
          owner: from.contract.address,
          pool: pool.address,
          amount: jettons / divisor,
        });
  return { from, message };
}
