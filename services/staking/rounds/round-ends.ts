import type { PoolRoundSubject } from '../../../contracts/chain/ton-staking';
import type { TonMessage } from '../../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../../contracts/network/network';
import type { TonHistoryTransaction } from '../../../projections/ton/transactions/stored-transaction';
import type { RoundsDeps } from './deps';

/** The end of a round, as the proxy of the pool saw it. */
export interface RoundEnd extends PoolRoundSubject {
  /** Nanotons that the elector gave back, as they reached the pool. */
  readonly returned: bigint;
  /** Nanotons that came with the demand for them; null where that is not known. */
  readonly demanded: bigint | null;
}

/** Operations of the elector. */
const RECOVER_STAKE = 0x47657424;
const STAKE_RECOVERED = 0xf96f7324;

const PAGE = 200;

/**
 * The ends of the rounds of a pool, oldest first, from the transactions of its proxy, which are few: two for each stake, and two
 * for its return. Null while they are not all known. On a fork they are those of the chain as it is now.
 */
export async function readRoundEnds(
  { transactions }: Pick<RoundsDeps, 'transactions'>,
  network: TonNetwork,
  { pool, proxy }: { readonly pool: string; readonly proxy: string },
): Promise<readonly RoundEnd[] | null> {
  // Read first, so that what is found includes what the backfill has published.
  const known = await transactions.account(network, proxy);
  if (known?.knownSince(null) !== 0n) return null;
  const newestFirst: TonHistoryTransaction[] = [];
  for (let from: string | undefined, more = true; more;) {
    const page = await transactions.page(network, proxy, { limit: PAGE, from });
    // A gap: something was retracted in the meantime.
    if (page.transactions.length === 0 && newestFirst.length > 0) return null;
    newestFirst.push(...page.transactions.map(({ decoded }) => decoded()));
    more = page.hasMore;
    from = page.transactions.at(-1)?.prev;
  }
  return roundEndsOf(newestFirst.reverse(), network, pool);
}

/** @param transactions of the proxy, oldest first */
export function roundEndsOf(
  transactions: readonly Pick<TonHistoryTransaction, 'lt' | 'hash' | 'time' | 'inMessage' | 'outMessages'>[],
  network: TonNetwork,
  pool: string,
): RoundEnd[] {
  const ends: RoundEnd[] = [];
  let demanded: bigint | null = null;
  for (const { lt, hash, time, inMessage, outMessages } of transactions) {
    if (!inMessage || inMessage.info.type !== 'internal') continue;
    const { src, value } = inMessage.info;
    if (src === pool && inMessage.op === RECOVER_STAKE) demanded = BigInt(value);
    // It passes this on from the elector alone: what the pool says goes to the elector.
    if (inMessage.op !== STAKE_RECOVERED) continue;
    const returned = outMessages.map(message => valueTo(pool, message)).find(each => each !== null);
    if (returned === undefined || returned === null) continue;
    ends.push({ network, pool, lt, hash, time, returned, demanded });
    demanded = null;
  }
  return ends;
}

const valueTo = (pool: string, { info, op }: TonMessage): bigint | null =>
  info.type === 'internal' && info.dest === pool && op === STAKE_RECOVERED ? BigInt(info.value) : null;
