import { type Address, type MessageRelaxed, type TupleItem, beginCell, internal, toNano } from '@ton/core';
import { JettonWallet, type TonClient4 } from '@ton/ton';
import fc from 'fast-check';
import { LOCAL_DEX_FACTORY } from '../../../../contracts/chain/local-market';
import { clientOf, expectUnbrokenChains, quietDevnet } from '../../../../test/devnet/ton';
import { runs } from '../../../../test/random';
import type { TonDevnet } from '../devnet';
import { jettonMaster, jettonTransferBody, jettonWalletAddress, mintBody } from '../jetton/jetton';
import { type LocalWallet, localWallet, transfer } from '../wallets';
import { addCoins, addJettons, dexFactory, dexPool, sellCoins, sellJettons } from './dex';

let devnet: TonDevnet;
let client: TonClient4;
let alice: LocalWallet;
let owner: Address;
let master: Address;
let pool: ReturnType<typeof dexPool>;

const JETTONS = 10n ** 12n;

const seqno = async (): Promise<number> => (await client.getLastBlock()).last.seqno;
const coinsOf = async (address: Address): Promise<bigint> =>
  BigInt((await client.getAccountLite(await seqno(), address)).account.balance.coins);
const jettonsOf = (holder: Address): Promise<bigint> =>
  client.open(JettonWallet.create(jettonWalletAddress(master, holder))).getBalance();
const run = async (address: Address, method: string, args: TupleItem[] = []) =>
  (await client.runMethod(await seqno(), address, method, args)).reader;

async function reserves(): Promise<readonly [coins: bigint, jettons: bigint]> {
  const reader = await run(pool.address, 'get_reserves');
  return [reader.readBigNumber(), reader.readBigNumber()];
}

/** What the messages cause is in the same block. */
const send = (...messages: MessageRelaxed[]): Promise<void> => transfer(client, alice, messages);
const jettons = (amount: bigint) => ({ master, owner, pool: pool.address, amount });

/** The pool has what its reserves say, and the coins beside them that pay for its storage. */
async function expectBacked(): Promise<readonly [coins: bigint, jettons: bigint]> {
  const [coins, units] = await reserves();
  expect(await jettonsOf(pool.address)).toBe(units);
  const surplus = (await coinsOf(pool.address)) - coins;
  expect(surplus).toBeGreaterThan(0n);
  expect(surplus).toBeLessThan(toNano(3));
  return [coins, units];
}

/** What is bought without the fee of 0.3 %, which stays in the pool. */
const boughtFor = (sold: bigint, ofSold: bigint, ofBought: bigint): bigint =>
  (sold * 997n * ofBought) / (ofSold * 1000n + sold * 997n);

beforeAll(async () => {
  devnet = await quietDevnet({ network: 'mainnet' });
  client = clientOf(devnet.url);
  alice = localWallet('alice', 'v5r1', 'mainnet');
  owner = alice.contract.address;
  const minter = jettonMaster(owner, { name: 'Test', symbol: 'TEST', decimals: 6 });
  master = minter.address;
  pool = dexPool(master);
  await devnet.faucet(owner.toString(), toNano(100_000));
  await send(
    internal({
      to: master,
      value: toNano('0.2'),
      init: minter.init,
      body: mintBody({ to: owner, amount: 2n * JETTONS, value: toNano('0.1') }),
    }),
    internal({ to: pool.address, value: toNano(1), init: pool.init, bounce: false }),
    internal({ to: dexFactory().address, value: toNano('0.1'), init: dexFactory().init, bounce: false }),
  );
});
afterAll(() => devnet.close());

it('sells nothing before it has both', async () => {
  await send(sellJettons(jettons(1_000n)), sellCoins(pool.address, toNano(1)));
  expect(await reserves()).toEqual([0n, 0n]);
  expect(await jettonsOf(owner)).toBe(2n * JETTONS);
  await send(addCoins(pool, toNano(1_000)), addJettons(jettons(JETTONS)));
  expect(await expectBacked()).toEqual([toNano(1_000), JETTONS]);
});

it('is found through the factory, and names its assets, as the pools of DeDust do', async () => {
  const slice = (cell: ReturnType<typeof beginCell>): TupleItem => ({ type: 'slice', cell: cell.endCell() });
  const native = slice(beginCell().storeUint(0, 4));
  const jetton = slice(beginCell().storeUint(1, 4).storeInt(0, 8).storeBuffer(master.hash));
  const ask = async (...assets: TupleItem[]) =>
    (await run(dexFactory().address, 'get_pool_address', [{ type: 'int', value: 0n }, ...assets]))
      .readAddress()
      .toRawString();
  expect(dexFactory().address.toRawString()).toBe(LOCAL_DEX_FACTORY);
  expect(await ask(native, jetton)).toBe(pool.address.toRawString());
  expect(await ask(jetton, native)).toBe(pool.address.toRawString());
  const stack = await run(pool.address, 'get_assets');
  expect([stack.readCell(), stack.readCell()].map(cell => cell.hash().toString('hex'))).toEqual(
    [native, jetton].map(item => (item.type === 'slice' ? item.cell.hash().toString('hex') : '')),
  );
});

it('sells jettons for coins and coins for jettons, and its price moves', async () => {
  const [coins, units] = await reserves();
  const held = await jettonsOf(owner);
  await send(sellCoins(pool.address, toNano(100)));
  const bought = boughtFor(toNano(100), coins, units);
  expect(await reserves()).toEqual([coins + toNano(100), units - bought]);
  expect(await jettonsOf(owner)).toBe(held + bought);

  const before = await coinsOf(owner);
  await send(sellJettons(jettons(bought)));
  const paid = boughtFor(bought, units - bought, coins + toNano(100));
  expect(await expectBacked()).toEqual([coins + toNano(100) - paid, units]);
  const received = (await coinsOf(owner)) - before;
  expect(received).toBeLessThan(paid);
  expect(received).toBeGreaterThan(paid - toNano('0.1'));
  // There and back costs the two fees.
  expect(paid).toBeLessThan((toNano(100) * 995n) / 1000n);
});

it('gives back what is offered for less than its price, without enough gas, or without saying what for', async () => {
  const before = await expectBacked();
  const held = await jettonsOf(owner);
  const sent = (payload: { comment?: string }, forwardValue: bigint): MessageRelaxed =>
    internal({
      to: jettonWalletAddress(master, owner),
      value: toNano('0.4'),
      body: jettonTransferBody({ to: pool.address, amount: 7n, response: owner, forwardValue, ...payload }),
    });
  await send(sellCoins(pool.address, toNano(1), JETTONS), sellJettons(jettons(1_000n), toNano(1_000)));
  await send(sent({ comment: 'a gift' }, toNano('0.2')), sent({}, toNano('0.2')));
  expect(await expectBacked()).toEqual(before);
  expect(await jettonsOf(owner)).toBe(held);
  // Nobody pays to send these back.
  await send(sent({ comment: 'cheap' }, toNano('0.05')));
  expect(await expectBacked()).toEqual([before[0], before[1] + 7n]);
});

it('does not believe notifications of others', async () => {
  const before = await expectBacked();
  const notification = beginCell()
    .storeUint(0x7362d09c, 32)
    .storeUint(0, 64)
    .storeCoins(JETTONS)
    .storeAddress(owner)
    .storeBit(false)
    .storeUint(0x4c4d0003, 32)
    .storeUint(0, 128)
    .endCell();
  await send(internal({ to: pool.address, value: toNano('0.5'), body: notification }));
  expect(await expectBacked()).toEqual(before);
});

it('never has a smaller product, whatever is traded, and has always what its reserves say', async () => {
  const trade = fc.record({
    sells: fc.constantFrom('coins', 'jettons'),
    // Up to a fifth of the pool, and down to what buys nothing.
    amount: fc.oneof(fc.bigInt(0n, 10n), fc.bigInt(1n, 2n * 10n ** 11n)),
    minBought: fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 11n)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(trade, { minLength: 3, maxLength: 6 }), async trades => {
      for (const { sells, amount, minBought } of trades) {
        const [coins, units] = await reserves();
        const message =
          sells === 'coins'
            ? sellCoins(pool.address, amount, minBought)
            : sellJettons(jettons(amount), minBought);
        await send(message);
        const [coinsAfter, unitsAfter] = await expectBacked();
        expect(coinsAfter * unitsAfter).toBeGreaterThanOrEqual(coins * units);
        expect((await jettonsOf(owner)) + unitsAfter).toBe(2n * JETTONS);
      }
    }),
    runs(8),
  );
  await expectUnbrokenChains(client);
});
