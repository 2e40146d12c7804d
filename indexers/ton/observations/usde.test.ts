import { TupleReader, beginCell, type TupleItem, Address } from '@ton/core';
import { USDE_CONTRACTS } from '../../../contracts/chain/ton-usde';
import { GetMethodFailed, type TonClient } from '../../../contracts/ports/ton-client';
import { observe } from '../../../test/contracts/observation';
import { countRoundTrips } from '../../../test/contracts/round-trips';
import { usdeMemberObservation } from './usde-member';
import { dailySharePriceObservation, sharePriceObservation } from './usde-price';

const OWNER = `0:${'1'.repeat(64)}`;
const WALLET = `0:${'2'.repeat(64)}`;
const { stakedUsde } = USDE_CONTRACTS.mainnet;
const int = (value: bigint): TupleItem => ({ type: 'int', value });
const slice = (raw: string): TupleItem => ({
  type: 'slice',
  cell: beginCell().storeAddress(Address.parseRaw(raw)).endCell(),
});
const NULL: TupleItem = { type: 'null' };
const TUPLE: TupleItem = { type: 'tuple', items: [int(1n)] };

/** A double of a node whose contracts answer with these stacks, and fail with these exit codes. */
function nodeWith(answers: Record<string, readonly TupleItem[] | number>): Partial<TonClient> {
  return {
    getLastBlock: async () => ({ seqno: 7, now: 1_750_000_000 }),
    getJettonWallet: async () => WALLET,
    runMethod: async (_seqno, _address, method) => {
      const answer = answers[method]!;
      if (typeof answer === 'number') throw new GetMethodFailed(method, answer);
      return new TupleReader([...answer]);
    },
  };
}

describe('the price of a share', () => {
  const price = async (answer: readonly TupleItem[] | number) =>
    (
      await observe(
        sharePriceObservation,
        { network: 'mainnet' },
        { ton: nodeWith({ convertToAssets: answer }) },
      )
    ).data;

  it('is read with its block', async () => {
    expect(await price([int(1_052_300_000n)])).toEqual({
      price: '1052300000',
      seqno: 7,
      time: 1_750_000_000,
    });
  });

  it.each([
    ['0', [int(0n)]],
    ['negative', [int(-1n)]],
    ['huge', [int(2n ** 255n)]],
    ['a tuple', [TUPLE]],
    ['null', [NULL]],
    ['missing', []],
    ['out of gas', -14],
    ['of no contract', -13],
  ])('is none where it is %s', async (_what, answer) => {
    expect(await price(answer)).toBeNull();
  });

  it('stays while no other is read, and that of a day is the first', () => {
    const at = (data: { price: string } | null) => ({
      height: 7,
      data: data && { ...data, seqno: 7, time: 1 },
    });
    const [one, two, none] = [at({ price: '1' }), at({ price: '2' }), at(null)];
    expect(sharePriceObservation.merge!(one, none)).toEqual(one.data);
    expect(sharePriceObservation.merge!(one, two)).toEqual(two.data);
    expect(dailySharePriceObservation.merge!(one, two)).toEqual(one.data);
    expect(dailySharePriceObservation.merge!(none, two)).toEqual(two.data);
  });

  it('of a day is read in the same way', async () => {
    const ton = nodeWith({ convertToAssets: [int(5n)] });
    const { data } = await observe(dailySharePriceObservation, { network: 'testnet', day: 20_000 }, { ton });
    expect(data).toMatchObject({ price: '5' });
  });
});

describe('a member', () => {
  const wallet = [int(5n), slice(OWNER), slice(stakedUsde), NULL];
  const lock = [int(3n), int(1_760_000_000n)];
  const read = async (
    answers: Record<string, readonly TupleItem[] | number>,
    ton: Partial<TonClient> = {},
  ) => {
    const node = { ...nodeWith({ get_wallet_data: wallet, get_timelock_data: lock, ...answers }), ...ton };
    const { client, count } = countRoundTrips(node);
    const subject = { network: 'mainnet', address: OWNER } as const;
    const { data } = await observe(usdeMemberObservation, subject, { ton: client });
    // The block and the wallet, and then both of what it says.
    expect(count()).toBeLessThanOrEqual(2);
    return data;
  };

  it('has what its wallet says', async () => {
    expect(await read({})).toEqual({ wallet: WALLET, balance: '5', locked: '3', unlockAt: 1_760_000_000 });
  });

  it.each([
    ['that does not exist', -13],
    ['of another owner', [int(5n), slice(WALLET), slice(stakedUsde), NULL]],
    ['of another jetton', [int(5n), slice(OWNER), slice(WALLET), NULL]],
    ['with a negative balance', [int(-1n), ...wallet.slice(1)]],
    ['with a huge balance', [int(2n ** 200n), ...wallet.slice(1)]],
    ['that answers with a tuple', [TUPLE, ...wallet.slice(1)]],
    ['that answers with nulls', [NULL, NULL, NULL, NULL]],
    ['that uses up its gas', -14],
  ])('has none by a wallet %s', async (_what, answer) => {
    expect(await read({ get_wallet_data: answer })).toBeNull();
  });

  it('has none where the master does not answer', async () => {
    const getJettonWallet = async (): Promise<never> => {
      throw new GetMethodFailed('get_wallet_address', 11);
    };
    expect(await read({}, { getJettonWallet })).toBeNull();
  });

  it.each([
    ['without the method', 11],
    ['that uses up its gas', -14],
    ['with a huge amount', [int(2n ** 255n), int(1n)]],
    ['with a negative amount', [int(-1n), int(1n)]],
    ['with a time beyond any', [int(1n), int(2n ** 60n)]],
    ['with nulls', [NULL, NULL]],
  ])('has nothing locked by a wallet %s', async (_what, answer) => {
    expect(await read({ get_timelock_data: answer })).toEqual({
      wallet: WALLET,
      balance: '5',
      locked: '0',
      unlockAt: 0,
    });
  });
});
