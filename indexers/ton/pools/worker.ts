import { poolPriceQueue, type Jetton } from '../../../contracts/chain/pool-prices';
import { assetKey, priceMessage, PRICES_TOPIC, type PriceRealm } from '../../../contracts/chain/prices';
import { amountOf } from '../../../contracts/money/money';
import { TON_NETWORKS, type TonNetwork } from '../../../contracts/network/network';
import type { Clients } from '../../../contracts/observation/observation';
import type { Job, Jobs } from '../../../contracts/ports/jobs';
import type { Log } from '../../../contracts/ports/log';
import { runUntilFirstFailure } from '../../run-until-first-failure';
import { createDecimals } from './decimals';
import { exchangesOf } from './exchanges';
import { readPools } from './pool';
import { jettonPrice } from './price';

export interface PoolPricesDeps {
  readonly realm: PriceRealm;
  /** Networks whose pools are read. What was asked of another one, before it was off, is dropped. */
  readonly networks: readonly TonNetwork[];
  readonly clients: Clients;
  readonly jobs: Pick<Jobs, 'work'>;
  readonly log: Pick<Log, 'publish'>;
  /** The price of TON in dollars, and its instant (RFC 3339); null while it has none. */
  readonly priceOfTon: () => Promise<{ readonly price: string; readonly at: string } | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Jettons of a network that are read at a time. */
const CONCURRENCY = 4;

/** Of several pools each counts; of one, it alone. */
const QUORUM = 1;

/** Publishes the prices of the jettons that are asked for, one quote for each exchange that has a pool, until the signal. */
export async function workPoolPrices(deps: PoolPricesDeps, signal: AbortSignal): Promise<void> {
  const { realm, networks, clients, jobs, log, priceOfTon, now } = deps;
  const decimalsOf = createDecimals(clients);

  async function publish({ data, signal }: Job): Promise<void> {
    const jetton = data as Jetton;
    const { network, master } = jetton;
    if (!networks.includes(network)) return;
    const ton = await priceOfTon();
    if (!ton) throw new Error('TON has no price yet');
    const readAt = new Date(now()).toISOString();
    const client = clients.ton(network);
    const last = await client.getLastBlock();
    const pools = await readPools(client, exchangesOf(realm, network), last, master);
    if (pools.length === 0) return;
    const decimals = await decimalsOf(jetton, last.seqno, signal);
    if (decimals === null) return;
    const asset = assetKey(realm, { type: 'jetton', ...jetton });
    const messages = pools.flatMap(({ exchange: source, ...reserves }) => {
      const price = jettonPrice(reserves, decimals, amountOf(ton.price));
      // It is as old as the price of TON that it is made of.
      return price === null
        ? []
        : [priceMessage({ asset, source, price, at: ton.at, readAt, quorum: QUORUM })];
    });
    if (messages.length > 0) await log.publish(PRICES_TOPIC.name, messages);
  }

  await runUntilFirstFailure(
    signal,
    TON_NETWORKS.map(
      network => signal =>
        jobs.work({ queue: poolPriceQueue(network), concurrency: CONCURRENCY, signal }, publish),
    ),
  );
}
