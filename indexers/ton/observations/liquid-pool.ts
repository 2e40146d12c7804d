import { Dictionary, type Cell, type DictionaryValue, type TupleReader } from '@ton/core';
import { configParse15 } from '@ton/ton/dist/config/ConfigParser';
import { liquidPoolObserved, type LiquidPool } from '../../../contracts/chain/ton-liquid-staking';
import { LIQUID_STAKING_POOLS } from '../../../contracts/chain/ton-verified-contracts';
import { defineObservation } from '../../../contracts/observation/observation';
import { readCoins } from '../coins';
import { askContract } from '../get-method';
import { param, roundStart } from './elections';
import { networkSubject, TON_SOURCE } from './source';

const PARAMETERS = [15, 34];

/**
 * The liquid pool of a network, all as of one block. A pool that does not answer, or answers what no pool can, fails the reading:
 * the last one stays, with its age.
 */
export const liquidPoolObservation = defineObservation({
  kind: 'ton.staking.liquid.pool',
  subject: networkSubject,
  schema: liquidPoolObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 30_000,
  ages: false,
  changedBy: { accountOf: network => ({ address: LIQUID_STAKING_POOLS[network], subject: { network } }) },
  async read(clients, { network }) {
    const client = clients.ton(network);
    const pool = LIQUID_STAKING_POOLS[network];
    const { seqno: height, now: time } = await client.getLastBlock();
    const [{ status, data }, said, config] = await Promise.all([
      client.getAccount(height, pool),
      askContract(client, height, pool, 'get_pool_status', [], readStatus),
      client.getConfig(height, PARAMETERS),
    ]);
    if (status === 'uninitialized') return { height, data: null };
    if (!data || !said.value) throw new Error(`the liquid pool ${pool} does not say what it has`);
    const { validatorsElectedFor, electorsStartBefore } = configParse15(param(config, 15).beginParse());
    return {
      height,
      data: {
        ...said.value,
        ...stakesUntil(data),
        time,
        validationFrom: roundStart(param(config, 34)),
        validatorsElectedFor,
        electorsStartBefore,
      },
    };
  },
});

/** The items of `get_pool_status`. @throws Error for what no pool answers */
function readStatus(stack: TupleReader) {
  const status = {
    rateDeposit: readCoins(stack),
    rateWithdraw: readCoins(stack),
    roundId: stack.readNumber(),
    enabled: stack.readBoolean(),
    upgradable: stack.readBoolean(),
    minStake: readCoins(stack),
    depositFee: readCoins(stack),
    withdrawFee: readCoins(stack),
    receiptPrice: readCoins(stack),
    poolFee: stack.readNumber(),
    minterSupply: readCoins(stack),
    totalBalance: readCoins(stack),
    totalSent: readCoins(stack),
    totalPendingWithdraw: readCoins(stack),
    totalBalanceWithdraw: readCoins(stack),
  };
  requireRates(status);
  return status;
}

const RATE = 1_000_000_000n;

/** Rates that were mixed up would be wrong by what the pool has earned, and nobody would see it. @throws Error */
function requireRates({ rateDeposit, rateWithdraw, minterSupply, totalBalance }: Rates): void {
  const [supply, balance] = [BigInt(minterSupply), BigInt(totalBalance)];
  // Without jettons, or without coins, there is nothing that rates follow from.
  if (supply === 0n || balance === 0n) return;
  if (!isRateOf(BigInt(rateDeposit), supply, balance) || !isRateOf(BigInt(rateWithdraw), balance, supply))
    throw new Error('the rates of the liquid pool do not follow from its balance and its supply');
}
type Rates = Pick<LiquidPool, 'rateDeposit' | 'rateWithdraw' | 'minterSupply' | 'totalBalance'>;

/** Whether a rate is `of / per` but for its last unit and a hundredth, which a pool may compute otherwise. */
function isRateOf(rate: bigint, of: bigint, per: bigint): boolean {
  const [said, exact] = [rate * per, RATE * of];
  const difference = said > exact ? said - exact : exact - said;
  return difference <= per + exact / 100n;
}

/** A stake of a proxy begins with the start of its round, and then says until when it is staked. */
const UNTIL: DictionaryValue<number> = {
  serialize: () => {
    throw new Error('is only read');
  },
  parse: slice => slice.skip(32).loadUint(32),
};

/**
 * From the data of the pool, as no get method says it. The layout is the one that the wallet app reads: owner, controller, last
 * election, round, profit; references to balances, the jetton and the proxies, which are their number, two addresses and stakes.
 * @throws Error for another layout
 */
function stakesUntil(data: Cell): Pick<LiquidPool, 'proxyZeroStakeUntil' | 'proxyOneStakeUntil'> {
  const slice = data.beginParse();
  slice.loadMaybeAddress();
  slice.loadMaybeAddress();
  slice.skip(32 + 32).loadCoins();
  slice.loadRef();
  slice.loadRef();
  const proxies = slice.loadRef().beginParse().skip(8);
  proxies.loadMaybeAddress();
  proxies.loadMaybeAddress();
  const stakes = proxies.loadDict(Dictionary.Keys.Uint(1), UNTIL);
  return { proxyZeroStakeUntil: stakes.get(0) ?? 0, proxyOneStakeUntil: stakes.get(1) ?? 0 };
}
