import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSlowWay, type SlowWay } from '../../infra/devnet/latency';
import { localWallet, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { gasless, gaslessSending } from '../../infra/program/features/gasless';
import { rates } from '../../infra/program/features/rates';
import { ton } from '../../infra/program/features/ton';
import { watch } from '../../infra/program/features/watch';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { jettonsOf, startLocalRelay, USER_JETTONS, type LocalRelay } from './local-relay';
import { wantedMessage } from './relayer';
import { signedAnswer } from './signed-answer';

/** Users who send at once while nodes are as slow as public ones, beside a stranger who posts what costs most to refuse. */

jest.setTimeout(600_000);

const LATENCY_MS = 250;
const USERS = 8;
const AMOUNT = 1_000n;
/** Three calls each, from one address; no quota ends them. */
const RUBBISH = 50;
const STRANGER = '198.51.100.1';
const RECEIVER = localWallet('receiver of rubbish', 'v4r2', 'testnet').contract.address;
let local: LocalRelay;
let way: SlowWay;
let program: TestProgram;
let url: string;

beforeAll(async () => {
  local = await startLocalRelay();
  way = await openSlowWay(local.devnet.url, LATENCY_MS);
  program = await startTestProgram({
    features: [watch, ton, rates, gasless, gaslessSending],
    settings: {
      TON_RPC_URL_TESTNET: way.url,
      TRUSTED_PROXIES: '1',
      GASLESS_TESTNET_PRIVATE_KEY: createHash('sha256').update('relay').digest('hex'),
      GASLESS_TESTNET_JETTONS: JSON.stringify([
        { master: local.master.toString({ testOnly: true }), decimals: 6, perTon: '3' },
      ]),
    },
  });
  url = await program.listen();
});
afterAll(async () => {
  await program.stop();
  await way.close();
  await local.close();
});

interface Answer {
  readonly ok?: boolean;
  readonly error?: string;
  readonly messages: readonly {
    readonly address: string;
    readonly amount: string;
    readonly payload: string;
    readonly stateInit?: string;
  }[];
}

async function call(path: string, from: string, body: unknown): Promise<{ status: number; body: Answer }> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

const estimateOf = (wallet: LocalWallet, boc: string) => ({
  data: {
    wallet_address: wallet.contract.address.toRawString(),
    wallet_public_key: wallet.keys.publicKey.toString('hex'),
    messages: [{ boc }],
  },
  master: local.master.toRawString(),
});

/** Wallets that have nothing: each estimate is read from the nodes before it is refused, each request has another signature. */
async function postRubbish(at: number): Promise<number[]> {
  const wallet = localWallet(`rubbish ${at}`, 'v5r1', 'testnet');
  const boc = wantedMessage(local, { wallet, to: RECEIVER, amount: AMOUNT }).toBoc().toString('hex');
  const posted = {
    wallet_public_key: wallet.keys.publicKey.toString('hex'),
    boc: await signedAnswer(wallet, [], { validFor: 300 }),
  };
  const answers = await Promise.all([
    call('/gasless/testnet/estimate', STRANGER, estimateOf(wallet, boc)),
    call('/gasless/testnet/send', STRANGER, posted),
    call('/gasless/testnet/send', STRANGER, { ...posted, boc: randomBytes(600).toString('hex') }),
  ]);
  expect(answers.map(({ body }) => body.ok ?? false)).toEqual([false, false, false]);
  return answers.map(({ status }) => status);
}

it('answers all of them rightly, beside a stranger who posts rubbish', async () => {
  const users = Array.from({ length: USERS }, (_, at) => ({
    wallet: localWallet(`slow ${at}`, 'v5r1', 'testnet'),
    to: localWallet(`slow to ${at}`, 'v4r2', 'testnet').contract.address,
    from: `192.0.2.${at + 1}`,
  }));
  await local.mintAll(
    users.map(({ wallet }) => wallet.contract.address),
    USER_JETTONS,
  );
  let isOver = false;
  const rubbish = Promise.all(Array.from({ length: RUBBISH }, (_, at) => postRubbish(at)));
  const blocks = (async () => {
    for (; !isOver; await sleep(400)) await local.devnet.simulation.produceBlock();
  })();
  try {
    const answers = await Promise.all(
      users.map(async ({ wallet, to, from }) => {
        const boc = wantedMessage(local, { wallet, to, amount: AMOUNT }).toBoc().toString('hex');
        const quote = await call('/gasless/testnet/estimate', from, estimateOf(wallet, boc));
        expect(quote).toMatchObject({ status: 200, body: { ok: true } });
        const posted = {
          wallet_public_key: wallet.keys.publicKey.toString('hex'),
          boc: await signedAnswer(wallet, quote.body.messages, { validFor: 300 }),
        };
        // As applications do that have no answer yet.
        return Promise.all([0, 1, 2].map(() => call('/gasless/testnet/send', from, posted)));
      }),
    );
    for (const answer of answers.flat()) expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(new Set((await rubbish).flat())).toEqual(new Set([200, 400]));
    await until(
      () => Promise.all(users.map(({ to }) => jettonsOf(local, to))),
      found => found.every(amount => amount > 0n),
    );
  } finally {
    isOver = true;
    await blocks;
  }
  expect(await Promise.all(users.map(({ to }) => jettonsOf(local, to)))).toEqual(users.map(() => AMOUNT));
});
