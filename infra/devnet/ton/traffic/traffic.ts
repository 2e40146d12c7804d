import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import type { Logger } from 'pino';
import { formatTonAddress } from '../../../../contracts/account/address';
import type { TonNetwork } from '../../../../contracts/network/network';
import { EXTRA_CURRENCY } from '../chain/genesis';
import { dexFactory } from '../dex/dex';
import type { JettonMaster, JettonMetadata } from '../jetton/jetton';
import { seqnoOf, transfer } from '../wallets';
import { type AccountDescription, type Actor, createActors, describeActor } from './actors';
import { LOCAL_COLLECTION, LOCAL_MINTLESS, localJettons } from './local-tokens';
import { fundRelayer } from './relayer';
import { localPools, type LocalPool, nextTrade, openPools } from './pools';
import { localLiquidPool } from '../staking/liquid/local-liquid-pool';
import { localStakingPools } from '../staking/local-pools';
import { localLiquidStaking } from './liquid-staking';
import { COLLECTORS, type FundAccount, type LocalTokens, fundActors, issueTokens } from './seed';
import { localStaking } from './staking';
import { nextTransfer } from './transfers';
import { localUsdeTraffic } from './usde';
import { localUsde } from '../usde/local-usde';

export interface TonTrafficOptions {
  readonly network: TonNetwork;
  /** Base URL of the local network. */
  readonly url: string;
  readonly fund: FundAccount;
  /** Milliseconds between two transfers; default: see `defaultPace`. */
  readonly pace?: (step: number) => number;
  /** Asked before each transfer: whether the network may store more; default: always. */
  readonly mayGrow?: () => boolean;
  readonly logger: Logger;
}

/** For manual use of the local network. */
export interface TonDevnetDescription {
  readonly network: TonNetwork;
  readonly endpoint: string;
  readonly accounts: readonly AccountDescription[];
  readonly jettons: readonly {
    readonly master: string;
    readonly name: string;
    readonly symbol: string;
    readonly decimals: number;
  }[];
  /** The exchange: a contract that has the addresses of the pools of jettons, and the pools that there are. */
  readonly dex: {
    readonly factory: string;
    readonly pools: readonly { readonly jetton: string; readonly pool: string }[];
  };
  /** Nominator pools; some of the accounts stake in the first one. */
  readonly stakingPools: readonly string[];
  /** Its jettons are what is staked in it; one of the accounts has some. */
  readonly liquidStakingPool: string;
  /** USDe, which each account has, its shares and its vault. */
  readonly usde: { readonly master: string; readonly stakedMaster: string; readonly vault: string };
  /** The master of the jetton that each account may claim. */
  readonly mintless: string;
  /** The n-th item is that of index n, which the n-th account has at first. */
  readonly nfts: readonly {
    readonly collection: string;
    readonly name: string;
    readonly items: readonly string[];
  }[];
  /** Id of the extra currency. */
  readonly extraCurrency: number;
  /** `POST` here with `{"address": "...", "amount": "<nanotons>", "extra": "<units>"}`; `extra` may be missing. */
  readonly faucet: string;
}

export interface TonTraffic {
  readonly description: TonDevnetDescription;
  /** Resolves after the signal, when nothing is sent any more. */
  readonly running: Promise<void>;
}

const FAST_STEPS = 20;
const FAST_MS = 3_000;
const SLOW_MS = 120_000;
const TIMEOUT_MS = 15_000;

/** Fast for the first minute, so that there is something to see; then slow, so that history stays small. */
const defaultPace = (step: number): number => (step < FAST_STEPS ? FAST_MS : SLOW_MS);

async function transfersSoFar(client: TonClient4, actors: readonly Actor[]): Promise<number> {
  const seqnos = await Promise.all(actors.map(({ contract }) => seqnoOf(client, contract)));
  return seqnos.reduce((sum, seqno) => sum + seqno, 0);
}

/**
 * Actors send each other coins and jettons with comments, and trade them, until the signal; some of them stake. The first run
 * deploys the wallets, the jettons with their pools, and the NFTs; later runs continue with them. Resolves when they exist.
 * @throws at the signal; the next run deploys what is missing
 */
export async function startTonTraffic(options: TonTrafficOptions, signal: AbortSignal): Promise<TonTraffic> {
  const { network, url, fund, pace = defaultPace, mayGrow = () => true, logger } = options;
  const client = new TonClient4({
    endpoint: url,
    timeout: TIMEOUT_MS,
    // At the signal every request fails, and so does what waits for a block by asking for it.
    requestInterceptor: request => ({ ...request, signal }),
  });
  const actors = createActors(network);
  await Promise.all([fundActors(client, actors, fund), fundRelayer(client, network, fund)]);
  const tokens = await issueTokens(client, network, actors);
  const pools = localPools(network, tokens.jettons);
  const staking = localStaking(client, network, actors);
  // The account that has nothing else to do at the start.
  const liquidStaking = localLiquidStaking(client, network, actors[COLLECTORS - 1]!);
  await Promise.all([openPools(client, pools, actors[0]!, fund), staking.deposit(), liquidStaking.deposit()]);
  const usde = localUsdeTraffic(client, network, actors);
  const traders = actors.slice(0, COLLECTORS);
  const first = await transfersSoFar(client, actors);

  async function run(): Promise<void> {
    for (let done = 0; !signal.aborted; done++) {
      await sleep(pace(done), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      if (!mayGrow()) continue;
      try {
        for (const { from, message } of [
          nextTransfer(first + done, actors, tokens.jettons[0]!),
          nextTrade(first + done, traders, pools),
        ]) {
          await fundActors(client, [from], fund);
          await transfer(client, from, [message]);
        }
        await fundRelayer(client, network, fund);
        await staking.withdraw();
        await liquidStaking.withdraw();
        await usde.stake();
        await usde.reward();
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error, network }, 'local transfer failed');
      }
    }
  }

  return { description: describe(network, url, actors, tokens, pools), running: run() };
}

const describe = (
  network: TonNetwork,
  url: string,
  actors: readonly Actor[],
  { jettons, mintless, collection, items }: LocalTokens,
  pools: readonly LocalPool[],
): TonDevnetDescription => {
  const format = (of: Address): string => formatTonAddress(of.toRawString(), network);
  const { usde, stakedUsde, vault } = localUsde(network);
  const jettonOf = (of: JettonMaster, { name, symbol, decimals }: JettonMetadata) => ({
    master: format(of.address),
    name,
    symbol,
    decimals,
  });
  return {
    network,
    endpoint: url,
    accounts: actors.map(actor => describeActor(actor, network)),
    jettons: [
      ...localJettons(network).map(({ metadata }, i) => jettonOf(jettons[i]!, metadata)),
      jettonOf(mintless, LOCAL_MINTLESS),
    ],
    dex: {
      factory: format(dexFactory().address),
      pools: pools.map(({ jetton, pool }) => ({
        jetton: format(jetton.address),
        pool: format(pool.address),
      })),
    },
    stakingPools: localStakingPools(network).map(({ address }) => format(address)),
    liquidStakingPool: format(localLiquidPool(network).address),
    usde: { master: format(usde), stakedMaster: format(stakedUsde), vault: format(vault) },
    mintless: format(mintless.address),
    nfts: [
      {
        collection: format(collection.address),
        name: LOCAL_COLLECTION.name,
        items: items.map(format),
      },
    ],
    extraCurrency: EXTRA_CURRENCY,
    faucet: `${url}/faucet`,
  };
};
