import { createHash } from 'node:crypto';
import { Cell, internal, toNano, type Address, type SendMode } from '@ton/core';
import type { WalletContractV5R1 } from '@ton/ton';
import request from 'supertest';
import { gaslessBudgetStream } from '../../contracts/events/gasless-budget';
import {
  gaslessRelayEvents,
  gaslessRelayStream,
  type GaslessRelayMessageSigned,
} from '../../contracts/events/gasless-relay';
import { gaslessHandoverStream } from '../../contracts/events/gasless-handover';
import { gaslessSendStream } from '../../contracts/events/gasless-send';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { billing } from '../../infra/program/features/billing';
import { erasure } from '../../infra/program/features/erasure';
import { gasless } from '../../infra/program/features/gasless';
import { gaslessCommissionFees } from '../../infra/program/features/gasless/commissions';
import { gaslessHandovers } from '../../infra/program/features/gasless/handovers';
import { gaslessRelayers } from '../../infra/program/features/gasless/relayers';
import { gaslessSendingWith } from '../../infra/program/features/gasless/sending';
import { history } from '../../infra/program/features/history';
import { ledger } from '../../infra/program/features/ledger-tree';
import { nfts } from '../../infra/program/features/nfts';
import { rates } from '../../infra/program/features/rates';
import { solana } from '../../infra/program/features/solana';
import { tokens } from '../../infra/program/features/tokens';
import { ton } from '../../infra/program/features/ton';
import { tonConfig } from '../../infra/program/features/ton-config';
import { tonContracts } from '../../infra/program/features/ton-contracts';
import { watch } from '../../infra/program/features/watch';
import { watchOf } from '../../infra/program/features/watch/account-watch';
import { gaslessBudgetKind } from '../../services/gasless/budget/decider';
import { gaslessHandoverKind, type GaslessHandover } from '../../services/gasless/handover/decider';
import { readCarrier } from '../../services/gasless/request/carrier';
import { gaslessSendKind, type SendStep } from '../../services/gasless/send/decider';
import { load } from '../../services/commands/load';
import { walletAt } from '../../services/wallet-v5/wallet-v5';
import { askAsFinance } from '../billing/finance';
import { startTestProgram, type TestProgram } from '../program';
import { temporaryFolder } from '../temporary-folder';
import { fork, takeBack } from '../ton/fork';
import { until } from '../until';
import { jettonsOf, startLocalRelay, type LocalRelay } from './local-relay';
import { carrierOf, gaslessDeps, post, quoteFor, relayerOf, signedCarrier } from './relayer';

jest.setTimeout(600_000);

/** A local main network, on which commissions are fees, and forks of it. */
const NETWORK = 'mainnet' as const;
const AMOUNT = 1_000n;
const folder = temporaryFolder();
let local: LocalRelay;
let program: TestProgram;

const settings = () => ({
  TON_RPC_URL_MAINNET: local.devnet.url,
  INSTANCE_CURRENCY: 'TON',
  GASLESS_MAINNET_PRIVATE_KEY: createHash('sha256').update('relay').digest('hex'),
  GASLESS_MAINNET_JETTONS: JSON.stringify([{ master: local.master.toString(), decimals: 6, perTon: '3' }]),
});
const sending = gaslessSendingWith(({ use }) => use(gaslessRelayers), { followMs: 200 });

async function start(): Promise<void> {
  program = await startTestProgram({
    features: [
      ...[watch, ton, tonContracts, tonConfig, tokens, nfts, rates, solana, history],
      ...[gasless, sending, gaslessCommissionFees, billing, ledger, erasure],
    ],
    settings: settings(),
    folder,
  });
}

beforeAll(async () => {
  local = await startLocalRelay(undefined, NETWORK);
  await start();
});
afterAll(async () => {
  await program?.stop();
  await local?.close();
});

const tip = async (): Promise<number> => (await local.client.getLastBlock()).seqno;
const relaySeqno = async (): Promise<number> =>
  (await walletAt(local, local.relay.contract.address.toRawString(), await tip())).seqno;

/** What the relay wallet has signed, oldest first. */
async function signedMessages(): Promise<GaslessRelayMessageSigned['data'][]> {
  const stream = gaslessRelayStream(NETWORK, local.relay.contract.address.toRawString());
  const found: GaslessRelayMessageSigned['data'][] = [];
  for await (const recorded of program.deps.engines.store.readStream(stream)) {
    const { type, data } = gaslessRelayEvents.read(recorded);
    if (type === 'GaslessRelayMessageSigned') found.push(data);
  }
  return found;
}

const bocOf = ({ message }: GaslessRelayMessageSigned['data']): Buffer => Buffer.from(message, 'base64');

interface Sent {
  readonly wallet: LocalWallet;
  readonly to: Address;
  /** What was posted. */
  readonly boc: Buffer;
}

let senders = 0;
async function user(): Promise<LocalWallet> {
  const wallet = localWallet(`forked sender ${(senders += 1)}`, 'v5r1', NETWORK);
  await local.mint(wallet.contract.address, 5_000_000n);
  return wallet;
}

async function send(wallet: LocalWallet): Promise<Sent> {
  const to = localWallet(`forked receiver ${senders}`, 'v4r2', NETWORK).contract.address;
  const { engines, handle } = program.deps;
  const test = { deps: gaslessDeps(relayerOf(local), { store: engines.store, handle }) };
  const quote = await quoteFor(test, local, { wallet, to, amount: AMOUNT });
  const boc = await signedCarrier(quote, { wallet, seqno: 0 });
  expect(await post(test, boc, wallet, 'a', NETWORK)).toBeNull();
  return { wallet, to, boc };
}

const rawOf = ({ wallet }: Sent): string => wallet.contract.address.toRawString();

const stepOf = async (sent: Sent): Promise<SendStep | undefined> => {
  const stream = gaslessSendStream({ network: NETWORK, wallet: rawOf(sent), seqno: 0 });
  return (await load(program.deps.engines.store, gaslessSendKind, stream))?.step;
};

const stepIs = (sent: Sent, step: SendStep) =>
  until(
    async () => {
      await local.devnet.simulation.produceBlock();
      return stepOf(sent);
    },
    found => found === step,
  );

const bounces = async (sent: Sent): Promise<number | undefined> => {
  const stream = gaslessBudgetStream(NETWORK, `wallet:${rawOf(sent)}`);
  return (await load(program.deps.engines.store, gaslessBudgetKind, stream))?.bounces;
};

/** How many commissions are in the books, and how many were reversed. */
async function revenue(): Promise<readonly [collected: number, reversed: number]> {
  const { summary } = await askAsFinance<{
    summary: { fee_type: string; collection_status: string; count: number }[];
  }>(program, { action: 'get_revenue' });
  const countOf = (status: string): number =>
    summary.find(row => row.fee_type === 'gasless' && row.collection_status === status)?.count ?? 0;
  return [countOf('collected'), countOf('reversed')];
}

const revenueIs = (collected: number, reversed: number) =>
  until(revenue, ([now, before]) => now === collected && before === reversed);

/** What an application is told that asks for the hash of what it has posted. */
async function status({ boc }: Sent): Promise<unknown> {
  const txHash = Cell.fromBoc(boc)[0]!.hash().toString('hex');
  const answer = await request(program.app).post(`/ton/transactions/status/${NETWORK}`).send({ txHash });
  return answer.body as unknown;
}

/** Of the wallet, newest first: what reached the receiver of jettons with them, in nanotons. */
async function forwarded({ wallet }: Sent): Promise<readonly string[]> {
  const { body } = await request(program.app)
    .get(`/actions/${wallet.contract.address.toString()}`)
    .query({ network: NETWORK })
    .expect(200);
  const { actions } = body as { actions: { kind: string; parts: { kind: string; forwarded: string }[] }[] };
  return actions.flatMap(({ parts }) => parts).map(part => part.forwarded);
}

const forked = (...others: readonly HandingOver[]) => ({
  network: NETWORK,
  devnet: local.devnet,
  programs: [{ program, folder, settings: settings() }, ...others],
});

const PROCESSING = { inProgress: true, status: 'processing' };
const SUCCESS = { found: true, inProgress: false, success: true };

it('what became of a transfer is read again when a fork changes it and has the message of the relay wallet all the same', async () => {
  const wallet = await user();
  await local.devnet.faucet(wallet.contract.address.toRawString(), toNano(1));
  const [before, seqno] = [await tip(), await relaySeqno()];
  const sent = await send(wallet);
  await stepIs(sent, 'confirmed');
  expect([await jettonsOf(local, sent.to), await bounces(sent)]).toEqual([AMOUNT, 0]);
  await revenueIs(1, 0);
  const [message] = await signedMessages();
  const relay = () => local.client.sendMessage(bocOf(message!));

  await fork(forked(), before, async () => {
    await transfer(local.api, wallet, [internal({ to: sent.to, value: toNano('0.01') })]);
    await relay();
  });
  expect(await relaySeqno()).toBe(seqno + 1);
  await stepIs(sent, 'bounced');
  expect([await jettonsOf(local, sent.to), await bounces(sent)]).toEqual([0n, 1]);
  await revenueIs(0, 1);

  await fork(forked(), before, relay);
  await stepIs(sent, 'confirmed');
  expect([await jettonsOf(local, sent.to), await bounces(sent)]).toEqual([AMOUNT, 0]);
  await revenueIs(1, 1);
});

/** Of a local network, in a block. */
const MAX_TRANSACTIONS = 256;

/**
 * What the message of the relay wallet causes goes on in another block, after so many of its transactions: once the network does.
 * @returns the block that has those
 */
async function splitTrace(sent: () => Promise<Sent>, transactions: number): Promise<[Sent, number]> {
  const { simulation } = local.devnet;
  const crowd = localWallet('crowd', 'v5r1', NETWORK);
  await local.devnet.faucet(crowd.contract.address.toRawString(), toNano(10));
  const others = MAX_TRANSACTIONS - transactions - 1;
  const body = await (crowd.contract as WalletContractV5R1).createTransfer({
    authType: 'external',
    seqno: 0,
    signer: crowd.signer,
    sendMode: 3 as SendMode,
    timeout: 2_000_000_000,
    messages: Array.from({ length: others }, () =>
      internal({ to: local.relay.contract.address, value: 1n, bounce: false }),
    ),
  });
  await simulation.pause();
  const known = (await signedMessages()).length;
  await local.client.sendMessage(carrierOf(crowd, crowd.contract.init, body));
  const first = await sent();
  const message = await until(async () => (await signedMessages())[known]);
  await local.client.sendMessage(bocOf(message!));
  return [first, await simulation.produceBlock()];
}

interface HandingOver {
  readonly program: TestProgram;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Of what was handed over. */
  step(): Promise<GaslessHandover['step'] | undefined>;
}

/** Another program, which has handed the request over to a relayer of somebody else, and follows its wallet alone. */
async function handingOver({ wallet, boc }: Pick<Sent, 'wallet' | 'boc'>): Promise<HandingOver> {
  const follower = { folder: temporaryFolder(), settings: { TON_RPC_URL_MAINNET: local.devnet.url } };
  const other = await startTestProgram({
    features: [watch, ton, rates, gasless, gaslessHandovers],
    ...follower,
    settings: { ...follower.settings, GASLESS_RELAYER: 'tonapi' },
  });
  const { deps } = other;
  const address = wallet.contract.address.toRawString();
  const ref = { network: NETWORK, wallet: address, seqno: 0 } as const;
  const stream = gaslessHandoverStream(ref);
  await watchOf(deps)({ chain: 'ton', network: NETWORK, address });
  const bodyHash = readCarrier(boc)!.body.hash().toString('hex');
  const metadata = { now: new Date().toISOString(), actor: 'test' };
  const request = { ...ref, bodyHash, hashes: [bodyHash], validUntil: 2_000_000_000 };
  await deps.handle(gaslessHandoverKind, stream, { type: 'handOver', request, metadata });
  await deps.handle(gaslessHandoverKind, stream, { type: 'recordTaken', bodyHash, metadata });
  const step = async () => (await load(deps.engines.store, gaslessHandoverKind, stream))?.step;
  return { ...follower, program: other, step };
}

it('a fork that takes back a part of what a transfer has caused takes back that it was confirmed, and its commission', async () => {
  const wallet = await user();
  const [collected, reversed] = await revenue();
  // The relay wallet's, the user's, and those of the user's jetton wallet.
  const [sent, block] = await splitTrace(() => send(wallet), 4);
  expect(await jettonsOf(local, sent.to)).toBe(0n);
  await local.devnet.simulation.resume();
  await stepIs(sent, 'confirmed');
  expect(await jettonsOf(local, sent.to)).toBe(AMOUNT);
  expect(await status(sent)).toMatchObject(SUCCESS);
  await until(
    () => forwarded(sent),
    found => found.includes('1'),
  );
  await revenueIs(collected + 1, reversed);
  const other = await handingOver(sent);
  await until(other.step, step => step === 'confirmed');
  const jettonsBefore = await jettonsOf(local, wallet.contract.address);
  await fork(forked(other), block);
  // Its transaction has stayed, and the jettons have arrived nowhere.
  expect(await jettonsOf(local, wallet.contract.address)).toBe(jettonsBefore);
  expect(await jettonsOf(local, sent.to)).toBe(0n);
  await stepIs(sent, 'relayed');
  expect(await status(sent)).toMatchObject(PROCESSING);
  await until(
    () => forwarded(sent),
    found => found.length > 0 && !found.includes('1'),
  );
  await revenueIs(collected, reversed + 1);
  await until(other.step, step => step === 'taken');
  await other.program.stop();
});

it('what a process has signed before a fork is sent on by the next process, in the same message', async () => {
  const { simulation } = local.devnet;
  const wallet = await user();
  const [before, known, seqno] = [await tip(), (await signedMessages()).length, await relaySeqno()];
  await simulation.pause();
  const sent = await send(wallet);
  const message = await until(async () => (await signedMessages())[known]);
  await program.stop();
  await local.client.sendMessage(bocOf(message!));
  await simulation.produceBlock();
  expect(await jettonsOf(local, sent.to)).toBe(AMOUNT);

  await simulation.rollbackTo(before);
  await simulation.resume();
  await start();
  await stepIs(sent, 'confirmed');
  expect(await jettonsOf(local, sent.to)).toBe(AMOUNT);
  expect([(await signedMessages()).length, await relaySeqno()]).toEqual([known + 1, seqno + 1]);
});

it('what a fork takes back while no process runs is sent on again by the next one, once, after the first message is dead', async () => {
  const { simulation } = local.devnet;
  const wallet = await user();
  const [before, known, seqno] = [await tip(), (await signedMessages()).length, await relaySeqno()];
  const commissions = () => jettonsOf(local, local.relay.contract.address);
  const earned = await commissions();
  const [collected, reversed] = await revenue();
  const sent = await send(wallet);
  await stepIs(sent, 'confirmed');
  const commission = (await commissions()) - earned;
  await revenueIs(collected + 1, reversed);
  await program.stop();
  const reached = await tip();
  await simulation.rollbackTo(before);
  await start();
  await takeBack(forked(), reached);
  await stepIs(sent, 'relayed');
  expect((await signedMessages()).slice(known)).toHaveLength(1);
  expect(await relaySeqno()).toBe(seqno);

  await local.devnet.advanceTime(200);
  await stepIs(sent, 'confirmed');
  const [first, second, ...others] = (await signedMessages()).slice(known);
  expect([first!.seqno, second!.seqno, others]).toEqual([seqno, seqno, []]);
  await expect(local.client.sendMessage(bocOf(first!))).rejects.toThrow();
  expect(await relaySeqno()).toBe(seqno + 1);
  expect([await jettonsOf(local, sent.to), await commissions()]).toEqual([AMOUNT, earned + commission]);
  await revenueIs(collected + 1, reversed + 1);
});
