import { Address, beginCell, comment, internal, toNano, type Cell } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import {
  jettonMaster,
  jettonTransferBody,
  jettonWalletAddress,
  mintBody,
} from '../../infra/devnet/ton/jetton/jetton';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { clientOf } from '../devnet/ton';
import { startLocalNetwork, type LocalNetwork } from '../ton/network';
import { until } from '../until';
import { deliverAgain, feePaymentFeatures, feePaymentsOf, type FeePayments } from './fee-payments';

/** The receiving address; no contract is deployed there. */
const RECEIVER = `0:${'5a'.repeat(32)}`;
const METADATA = { name: 'Dollar', symbol: 'USDX', decimals: 6, description: '', image: '' };

let network: LocalNetwork;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;
let dollar: ReturnType<typeof jettonMaster>;
/** Bob's jetton has the same metadata as the dollar. */
let lookAlike: ReturnType<typeof jettonMaster>;
let fees: FeePayments;

const addressOf = ({ contract }: LocalWallet): Address => contract.address;

beforeAll(async () => {
  alice = localWallet('alice', 'v5r1', 'mainnet');
  bob = localWallet('bob', 'v4r2', 'mainnet');
  dollar = jettonMaster(addressOf(alice), METADATA);
  lookAlike = jettonMaster(addressOf(bob), METADATA);
  const common = { chain: 'ton', network: 'mainnet', address: RECEIVER };
  const methods = [
    { ...common, asset: 'native' },
    { ...common, asset: dollar.address.toString(), decimals: 6 },
  ];
  network = await startLocalNetwork('mainnet', feePaymentFeatures(methods));
  client = clientOf(network.devnet.url);
  fees = await feePaymentsOf(network.deps);
  for (const [owner, master] of [
    [alice, dollar],
    [bob, lookAlike],
  ] as const) {
    await network.devnet.faucet(addressOf(owner).toString(), toNano(100));
    const body = mintBody({ to: addressOf(owner), amount: 1_000_000_000n, value: toNano('0.1') });
    await transfer(client, owner, [
      internal({ to: master.address, value: toNano('0.2'), init: master.init, body }),
    ]);
  }
  const watched = async () => {
    for await (const event of network.engines.store.readStream(`watch-ton:mainnet:${RECEIVER}`))
      return !!event;
    return false;
  };
  await until(watched);
});
afterAll(async () => {
  await network?.close();
});

const pay = (value: string, body: Cell, bounce = false) =>
  transfer(client, alice, [internal({ to: RECEIVER, value: toNano(value), bounce, body })]);

const payJettons = (owner: LocalWallet, master: Address, amount: bigint, memo: string) =>
  transfer(client, owner, [
    internal({
      to: jettonWalletAddress(master, addressOf(owner)),
      value: toNano('0.2'),
      body: jettonTransferBody({
        to: Address.parseRaw(RECEIVER),
        amount,
        response: addressOf(owner),
        forwardValue: 1n,
        comment: memo,
      }),
    }),
  ]);

it('coins with the id of a fee as comment collect it, exact to the nanoton', async () => {
  await fees.owe('ton-1', '2.000000001');
  await pay('2', comment('ton-1'));
  expect(await fees.next()).toBe('amount_too_small');
  expect(await fees.status('ton-1')).toBe('pending');
  await pay('2.000000001', comment(' ton-1 '));
  expect(await fees.next()).toBe('collected');
  expect(await fees.status('ton-1')).toBe('collected');
  await pay('5', comment('ton-1'));
  expect(await fees.next()).toBe('already_collected');
});

it('a fee with more decimals than the asset is not collected by an amount rounded down', async () => {
  await fees.owe('ton-fine', '1.0000000001');
  await pay('1', comment('ton-fine'));
  expect(await fees.next()).toBe('amount_too_small');
  await pay('1.000000001', comment('ton-fine'));
  expect(await fees.next()).toBe('collected');
});

it('bounced coins, coins for an unknown fee and coins for a fee of zero collect nothing', async () => {
  await fees.owe('ton-2', '1');
  await fees.owe('credit', '-1');
  await pay('3', comment('ton-2'), true);
  await pay('3', comment('no-such-fee'));
  expect(await fees.next()).toBe('fee_not_found');
  await pay('3', comment('credit'));
  expect(await fees.next()).toBe('nothing_to_pay');
  expect(await fees.status('ton-2')).toBe('pending');
  expect(await fees.status('credit')).toBe('pending');
});

it('jettons of the accepted master collect, in its decimals; a look-alike and a forged notification do not', async () => {
  await fees.owe('jetton-1', '12.50');
  await payJettons(bob, lookAlike.address, 12_500_000n, 'jetton-1');
  expect(await fees.next()).toBe('wrong_asset');
  await pay('1', forgedNotification(12_500_000n, 'jetton-1'));
  expect(await fees.next()).toBe('wrong_asset');
  await payJettons(alice, dollar.address, 12_499_999n, 'jetton-1');
  expect(await fees.next()).toBe('amount_too_small');
  expect(await fees.status('jetton-1')).toBe('pending');
  await payJettons(alice, dollar.address, 12_500_000n, 'jetton-1');
  expect(await fees.next()).toBe('collected');
});

it('a repeated delivery changes nothing', async () => {
  const before = await events();
  const settled = fees.outcomes.length;
  expect(await deliverAgain(network.deps)).toBe(settled);
  await until(() => fees.outcomes.length === 2 * settled);
  expect(fees.outcomes.slice(settled)).not.toContain('collected');
  expect(await events()).toEqual(before);
});

it('coins that arrive before their fee is recorded collect it afterwards', async () => {
  const settled = fees.outcomes.length;
  await pay('1', comment('ton-early'));
  await pay('2', comment('ton-early'));
  await until(() => fees.outcomes.length === settled + 2);
  expect(fees.outcomes.slice(settled)).toEqual(['fee_not_found', 'fee_not_found']);
  await fees.owe('ton-early', '1.5');
  await until(() => fees.outcomes.length === settled + 4);
  expect(fees.outcomes.slice(settled + 2)).toEqual(['amount_too_small', 'collected']);
  expect(await fees.status('ton-early')).toBe('collected');
});

async function events(): Promise<number[]> {
  const positions: number[] = [];
  for await (const page of network.engines.store.readAll({ categories: ['fee'] }))
    positions.push(...page.map(({ position }) => position));
  return positions;
}

/** A transfer notification as a jetton wallet sends it (TEP-74), from an address that is not a jetton wallet. */
const forgedNotification = (amount: bigint, memo: string): Cell =>
  beginCell()
    .storeUint(0x7362d09c, 32)
    .storeUint(0, 64)
    .storeCoins(amount)
    .storeAddress(addressOf(alice))
    .storeMaybeRef(comment(memo))
    .endCell();
