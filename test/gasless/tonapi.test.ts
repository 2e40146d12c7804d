import { createHash } from 'node:crypto';
import { type Address, beginCell, Cell, loadMessage } from '@ton/core';
import type { WalletContractV5R1 } from '@ton/ton';
import { TonApiClient } from '@ton-api/client';
import express from 'express';
import request from 'supertest';
import { gaslessHandoverStream } from '../../contracts/events/gasless-handover';
import { localWallet, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { gasless, gaslessSending } from '../../infra/program/features/gasless';
import { gaslessHandovers } from '../../infra/program/features/gasless/handovers';
import { rates } from '../../infra/program/features/rates';
import { ton } from '../../infra/program/features/ton';
import { watch } from '../../infra/program/features/watch';
import { gaslessHandoverKind } from '../../services/gasless/handover/decider';
import { load } from '../../services/commands/load';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { callJson } from './call';
import { jettonsOf, startLocalRelay, USER_JETTONS, type LocalRelay } from './local-relay';
import { carrierOf, wantedMessage } from './relayer';
import { signedAnswer } from './signed-answer';
import { sendByTonapiClient } from './tonapi-client';
import { startTonapiDouble, type TonapiDouble, type TonapiFault } from './tonapi-double';

jest.setTimeout(300_000);

const KEY = 'AFZK2P7Q-key';
let local: LocalRelay;
/** It relays for the double of TonAPI. */
let relaying: TestProgram;
let tonapi: TonapiDouble;
let program: TestProgram;
let url: string;

beforeAll(async () => {
  local = await startLocalRelay();
  const settings = { TON_RPC_URL_TESTNET: local.devnet.url };
  relaying = await startTestProgram({
    features: [watch, ton, rates, gasless, gaslessSending],
    settings: {
      ...settings,
      GASLESS_TESTNET_PRIVATE_KEY: createHash('sha256').update('relay').digest('hex'),
      GASLESS_TESTNET_JETTONS: JSON.stringify([
        { master: local.master.toString({ testOnly: true }), decimals: 6, perTon: '3' },
      ]),
    },
  });
  tonapi = await startTonapiDouble(await relaying.listen(), KEY);
  program = await startTestProgram({
    features: [watch, ton, rates, gasless, gaslessSending, gaslessHandovers],
    settings: {
      ...settings,
      GASLESS_RELAYER: 'tonapi',
      GASLESS_TONAPI_URL_TESTNET: tonapi.url,
      GASLESS_TONAPI_API_KEY: KEY,
      GASLESS_TONAPI_REQUESTS_PER_SECOND: '1000',
    },
  });
  url = await program.listen();
});
afterAll(async () => {
  await program?.stop();
  await tonapi?.close();
  await relaying?.stop();
  await local?.close();
});

interface QuotedMessage {
  readonly address: string;
  readonly amount: string;
  readonly payload?: string;
  readonly stateInit?: string;
}
interface Answer {
  readonly status: number;
  readonly body: {
    readonly ok?: boolean;
    readonly error?: string;
    readonly commission: string;
    readonly messages: readonly QuotedMessage[];
    readonly inProgress?: boolean;
  };
}

const call = (path: string, body?: unknown): Promise<Answer> =>
  callJson<Answer['body']>(`${url}${path}`, body);

let users = 0;
async function newUser(): Promise<LocalWallet> {
  const user = localWallet(`tonapi user ${(users += 1)}`, 'v5r1', 'testnet');
  await local.mint(user.contract.address, USER_JETTONS);
  return user;
}
const receiver = (): Address =>
  localWallet(`tonapi receiver ${(users += 1)}`, 'v4r2', 'testnet').contract.address;

const dataOf = (user: LocalWallet, to: Address, amount: bigint) => ({
  wallet_address: user.contract.address.toRawString(),
  wallet_public_key: user.keys.publicKey.toString('hex'),
  messages: [{ boc: wantedMessage(local, { wallet: user, to, amount }).toBoc().toString('hex') }],
});
const estimate = (user: LocalWallet, to: Address, amount = 1_000_000n): Promise<Answer> =>
  call('/gasless/testnet/estimate', {
    data: dataOf(user, to, amount),
    master: local.master.toRawString(),
  });

/** On a busy machine the double may be too late at first. */
const quoteOf = (user: LocalWallet, to: Address): Promise<Answer> =>
  until(
    () => estimate(user, to),
    ({ status, body }) => status === 200 && body.ok === true,
  );

/** What an application posts. */
async function signed(
  user: LocalWallet,
  { messages }: Answer['body'],
  signing: Parameters<typeof signedAnswer>[2] = {},
) {
  return {
    wallet_public_key: user.keys.publicKey.toString('hex'),
    boc: await signedAnswer(user, messages, signing),
  };
}
type Posted = Awaited<ReturnType<typeof signed>>;
const post = (posted: Posted): Promise<Answer> => call('/gasless/testnet/send', posted);
const postsOf = ({ boc }: Posted): number => tonapi.calls('send').filter(body => body.includes(boc)).length;

const stepOf = async (user: LocalWallet) =>
  (
    await load(
      program.deps.engines.store,
      gaslessHandoverKind,
      gaslessHandoverStream({ network: 'testnet', wallet: user.contract.address.toRawString(), seqno: 0 }),
    )
  )?.step;

/** A block a look. */
async function untilJettons(to: Address): Promise<void> {
  await until(async () => {
    await local.devnet.simulation.produceBlock();
    return (await jettonsOf(local, to)) > 0n;
  });
}

it('what TonAPI is configured with is what wallets see, in both dialects', async () => {
  const expected = {
    gas_jettons: [{ master_id: local.master.toRawString() }],
    relay_address: local.relay.contract.address.toRawString(),
  };
  expect(await call('/gasless/testnet/config')).toEqual({ status: 200, body: expected });
  expect(await call('/v2/gasless/config?network=testnet')).toEqual({ status: 200, body: expected });
});

it('a wallet without TON sends jettons through TonAPI, and what became of it is read from the chain', async () => {
  const [user, to] = [await newUser(), receiver()];
  const quote = await quoteOf(user, to);
  const posted = await signed(user, quote.body);
  for (let posts = 0; posts < 5; posts++)
    expect(await post(posted)).toMatchObject({ status: 200, body: { ok: true } });
  expect(postsOf(posted)).toBe(1);

  await untilJettons(to);
  expect(await jettonsOf(local, to)).toBe(1_000_000n);
  expect(await jettonsOf(local, user.contract.address)).toBe(
    USER_JETTONS - 1_000_000n - BigInt(quote.body.commission),
  );
  await until(
    () => stepOf(user),
    step => step === 'confirmed',
  );
  const carrier = Cell.fromHex(posted.boc);
  for (const cell of [carrier, loadMessage(carrier.beginParse()).body]) {
    const txHash = cell.hash().toString('hex');
    const status = await until(
      () => call('/ton/transactions/status/testnet', { txHash }),
      ({ body: { inProgress } }) => inProgress === false,
    );
    expect(status.body).toMatchObject({ found: true, status: 'confirmed', success: true });
  }
  expect(await post(posted)).toMatchObject({ body: { ok: true } });
});

it('clients of TonAPI see no difference', async () => {
  const [user, to] = [await newUser(), receiver()];
  const path = `/v2/gasless/estimate/${local.master.toRawString()}?network=testnet`;
  const quote = await call(path, dataOf(user, to, 2_000n));
  expect(quote).toMatchObject({ status: 200, body: { protocol_name: 'gasless' } });
  expect(await call('/v2/gasless/send?network=testnet', await signed(user, quote.body))).toEqual({
    status: 200,
    body: { protocol_name: 'gasless' },
  });
  const poor = localWallet('tonapi poor', 'v5r1', 'testnet');
  expect(await call(path, dataOf(poor, to, 2_000n))).toMatchObject({
    status: 400,
    body: { error_code: 40_012 },
  });
});

/** TonAPI has a host for each network, where we have a parameter. */
const onTestnet: typeof fetch = (input, init) => fetch(`${input as string}?network=testnet`, init);

it('the published client of TonAPI sends jettons through a program that hands them over to TonAPI', async () => {
  const [user, to] = [await newUser(), receiver()];
  const { keys } = user;
  const wallet = user.contract as WalletContractV5R1;
  const jettonWallet = local.jettonWalletOf(wallet.address);
  const transfer = { wallet, keys, seqno: 0, master: local.master, jettonWallet, to, amount: 1_000n };
  const client = new TonApiClient({ baseUrl: url, fetch: onTestnet });
  const commission = await sendByTonapiClient(client, transfer);
  await untilJettons(to);
  expect(await jettonsOf(local, to)).toBe(1_000n);
  expect(await jettonsOf(local, wallet.address)).toBe(USER_JETTONS - 1_000n - commission);
  // Its seqno is used up.
  await expect(sendByTonapiClient(client, { ...transfer, amount: USER_JETTONS })).rejects.toThrow();
});

it('what TonAPI refuses is a refusal that wallets know', async () => {
  const poor = localWallet('tonapi poor', 'v5r1', 'testnet');
  const refused = (error: string) => ({ status: 200, body: { ok: false, error } });
  expect(await estimate(poor, receiver())).toEqual(refused('not-enough'));
  const user = await newUser();
  const quote = await quoteOf(user, receiver());
  const posted = await signed(user, quote.body, { validFor: 700 });
  expect(await post(posted)).toEqual(refused('try-later'));
  expect(postsOf(posted)).toBe(0);
  // Nobody has quoted this to the wallet.
  const [first, paid] = quote.body.messages;
  const more = { ...quote.body, messages: [{ ...first!, amount: '70000000' }, paid!] };
  const other = await signed(user, more);
  expect(await post(other)).toEqual(refused('try-later'));
  expect([postsOf(other), await stepOf(user)]).toEqual([1, 'refused']);
  // What was refused leaves the seqno to others.
  expect(await post(await signed(user, quote.body))).toMatchObject({ body: { ok: true } });
});

it.each<TonapiFault>([
  'html',
  'empty object',
  'too many requests',
  'server error',
  'redirect',
  'endless answer',
  'lost answer',
  'other relay',
  'other messages',
  'other wallet',
])('an estimate that is answered with %s is a refusal, which applications do not repeat', async fault => {
  const user = await newUser();
  tonapi.failNext('estimate', fault);
  expect(await estimate(user, receiver())).toEqual({ status: 200, body: { ok: false, error: 'try-later' } });
});

it.each<TonapiFault>(['html', 'server error', 'redirect', 'lost answer', 'lost call'])(
  'after %s to a send nothing else of the seqno is posted, and the chain says what became of it',
  async fault => {
    const [user, to] = [await newUser(), receiver()];
    const quote = await quoteOf(user, to);
    const posted = await signed(user, quote.body);
    tonapi.failNext('send', fault, posted.boc);
    expect((await post(posted)).status).toBe(503);
    const other = await signed(user, quote.body, { validFor: 130 });
    expect(await post(other)).toEqual({ status: 200, body: { ok: false, error: 'cooldown' } });
    expect([postsOf(other), await stepOf(user)]).toEqual([0, 'unanswered']);

    if (fault !== 'lost answer') expect(await post(posted)).toMatchObject({ body: { ok: true } });
    // TonAPI says that it has it already, unless the chain has it by then.
    else expect(['cooldown', undefined]).toContain((await post(posted)).body.error);
    await untilJettons(to);
    expect(await jettonsOf(local, to)).toBe(1_000_000n);
    const calls = postsOf(posted);
    expect(await post(posted)).toMatchObject({ status: 200, body: { ok: true } });
    expect(postsOf(posted)).toBe(calls);
    await until(
      () => stepOf(user),
      step => step === 'confirmed',
    );
  },
);

it('too many requests are no lost answer: the wallet may sign another at once', async () => {
  const user = await newUser();
  const quote = await quoteOf(user, receiver());
  const posted = await signed(user, quote.body);
  tonapi.failNext('send', 'too many requests', posted.boc);
  const refused = { status: 200, body: { ok: false, error: 'try-later' } };
  expect(await post(posted)).toEqual(refused);
  expect(await post(await signed(user, quote.body, { validFor: 130 }))).toMatchObject({ body: { ok: true } });
});

it('what nobody has signed is not handed over', async () => {
  const user = await newUser();
  const quote = await quoteOf(user, receiver());
  const posted = await signed(user, quote.body);
  const stranger = await newUser();
  const forged = { ...posted, wallet_public_key: stranger.keys.publicKey.toString('hex') };
  const empty = carrierOf(user, null, beginCell().endCell()).toString('hex');
  for (const each of [forged, { ...posted, boc: empty }]) {
    expect(await post(each)).toEqual({ status: 200, body: { ok: false, error: 'try-later' } });
    expect(postsOf(each)).toBe(0);
  }
});

it('a stranger who signs for a wallet of somebody else has nothing recorded, and its owner sends all the same', async () => {
  const [user, stranger, to] = [await newUser(), await newUser(), receiver()];
  const quote = await quoteOf(user, to);
  const own = await signed(user, quote.body);
  const forged = await signed({ ...stranger, contract: user.contract }, quote.body, { validFor: 590 });
  expect(await post(forged)).toEqual({ status: 200, body: { ok: false, error: 'try-later' } });
  expect([postsOf(forged), await stepOf(user)]).toEqual([0, undefined]);
  tonapi.failNext('send', 'lost call', own.boc);
  expect((await post(own)).status).toBe(503);
  expect(await post(own)).toMatchObject({ status: 200, body: { ok: true } });
  await untilJettons(to);
});

it('operators see where what was handed over is, and how long the oldest waits', async () => {
  const user = await newUser();
  const quote = await quoteOf(user, receiver());
  const posted = await signed(user, quote.body);
  tonapi.failNext('send', 'lost call', posted.boc);
  expect((await post(posted)).status).toBe(503);
  const pages = express().use(
    (_request, { locals }, next) => {
      locals['requestId'] = 'test';
      next();
    },
    ...program.operatorsPages,
  );
  const text = await until(
    async () => (await request(pages).get('/metrics')).text,
    found => /tidemark_gasless_handovers\{step="unanswered"\} [1-9]/.test(found),
  );
  expect(text).toMatch(/tidemark_gasless_handovers\{step="confirmed"\} \d/);
  expect(text).toMatch(/tidemark_gasless_handover_oldest_seconds \d*\.?\d*[1-9]/);
});
