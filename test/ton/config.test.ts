import { beginCell, Cell, comment, internal, storeMessage, toNano } from '@ton/core';
import { computeGasPrices, computeMessageForwardFees, loadConfigParamById, type TonClient4 } from '@ton/ton';
import request from 'supertest';
import { addressWarningStream } from '../../contracts/events/address-warning';
import { transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { createHandle } from '../../services/commands/handle';
import { addressWarningKind } from '../../services/ton-config/decider';
import { until } from '../until';
import type { LocalNetwork } from './network';
import { addressOf, rawOf, startTestnet } from './testnet';

let network: LocalNetwork;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;

interface Config {
  readonly wallets: { readonly restrict_send: string[]; readonly spam: string[] };
  readonly network: string;
  readonly config: {
    readonly seqno: number;
    readonly storage: readonly object[];
    readonly gas: { readonly workchain: Record<'flatLimit' | 'flatPrice' | 'gasPrice', string> };
    readonly messages: {
      readonly workchain: Record<'lumpPrice' | 'bitPrice' | 'cellPrice', string> &
        Record<'ihrPriceFactor' | 'firstFraction' | 'nextFraction', number>;
    };
    readonly limits: object;
    readonly parameters: Record<string, string>;
  };
}
const config = async (): Promise<Config> =>
  (await request(network.app).get('/config?network=testnet').expect(200)).body as Config;

beforeAll(async () => {
  ({ network, client, alice, bob } = await startTestnet({ watched: false }));
});
afterAll(() => network.close());

it('has what the fees of a transaction are computed from', async () => {
  await transfer(client, alice, [
    internal({ to: bob.contract.address, value: toNano(1), body: comment('for the fee') }),
  ]);
  const { last } = await client.getLastBlock();
  const newest = (await client.getAccountLite(last.seqno, alice.contract.address)).account.last!;
  const page = await client.getAccountTransactions(
    alice.contract.address,
    BigInt(newest.lt),
    Buffer.from(newest.hash, 'base64'),
  );
  const { description, outMessages } = page.find(({ tx }) => tx.outMessagesCount === 1)!.tx;
  if (description.type !== 'generic' || description.computePhase.type !== 'vm')
    throw new Error('not executed');

  const { gas, messages } = (await config()).config;
  const { flatLimit, flatPrice, gasPrice } = gas.workchain;
  const prices = { flatLimit: BigInt(flatLimit), flatPrice: BigInt(flatPrice), price: BigInt(gasPrice) };
  expect(computeGasPrices(description.computePhase.gasUsed, prices)).toBe(description.computePhase.gasFees);

  const { lumpPrice, bitPrice, cellPrice, ihrPriceFactor, firstFraction, nextFraction } = messages.workchain;
  const [message] = outMessages.values();
  const { remaining } = computeMessageForwardFees(
    {
      lumpPrice: BigInt(lumpPrice),
      bitPrice: BigInt(bitPrice),
      cellPrice: BigInt(cellPrice),
      ihrPriceFactor,
      firstFrac: firstFraction,
      nextFrac: nextFraction,
    },
    beginCell().store(storeMessage(message!)).endCell(),
  );
  expect(message!.info).toMatchObject({ type: 'internal', forwardFee: remaining });
});

it('has the parameters themselves, and storage prices as on the main network, and the limits of messages', async () => {
  const { seqno, parameters, storage, limits } = (await config()).config;
  const chain = await client.getConfig(seqno);
  for (const [id, boc] of Object.entries(parameters)) {
    const expected = loadConfigParamById(chain.config.cell, Number(id));
    expect([id, Cell.fromBase64(boc).hash()]).toEqual([id, expected.hash()]);
  }
  expect(Object.keys(parameters)).toEqual(expect.arrayContaining(['18', '20', '21', '24', '25']));
  expect(storage).toEqual([
    { since: 0, bit: '1', cell: '500', masterchainBit: '1000', masterchainCell: '500000' },
  ]);
  expect(limits).toMatchObject({ maxBits: 2_097_152, maxCells: 8_192 });
});

it('has the addresses that wallets warn of, from the moment an operator adds one until it is removed', async () => {
  const handle = createHandle(network.engines);
  const change = (type: 'add' | 'remove', wallet: LocalWallet, warning: 'spam' | 'restrict_send') =>
    handle(addressWarningKind, addressWarningStream('testnet', rawOf(wallet)), {
      type,
      network: 'testnet',
      address: rawOf(wallet),
      warning,
      metadata: { now: new Date().toISOString(), actor: 'cli:ann' },
    });
  const lists = async () => (await config()).wallets;
  expect(await lists()).toEqual({ restrict_send: [], spam: [] });
  await change('add', alice, 'spam');
  await change('add', bob, 'restrict_send');
  await until(lists, ({ restrict_send }) => restrict_send.length > 0);
  expect(await lists()).toEqual({ restrict_send: [addressOf(bob)], spam: [addressOf(alice)] });
  await change('remove', alice, 'spam');
  await until(lists, ({ spam }) => spam.length === 0);
});
