import { createHash } from 'node:crypto';
import {
  Address,
  beginCell,
  Cell,
  external,
  loadMessage,
  loadMessageRelaxed,
  storeMessage,
  toNano,
} from '@ton/core';
import { gasless, gaslessSending } from '../../infra/program/features/gasless';
import { gaslessCommand } from '../../infra/program/features/gasless/gasless-command';
import { rates } from '../../infra/program/features/rates';
import { ton } from '../../infra/program/features/ton';
import { watch } from '../../infra/program/features/watch';
import { localWallet, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { readConfig } from '../../infra/program/settings/config';
import { runCommand } from '../command-line';
import { NETWORKS_OFF } from '../local-networks';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { callJson } from './call';
import { coinsOf, jettonsOf, startLocalRelay, USER_JETTONS, type LocalRelay } from './local-relay';
import { wantedMessage } from './relayer';
import { signedAnswer } from './signed-answer';

jest.setTimeout(300_000);

let local: LocalRelay;
let program: TestProgram;
let url: string;

const settingsOf = (): Record<string, string> => ({
  TON_RPC_URL_TESTNET: local.devnet.url,
  GASLESS_TESTNET_PRIVATE_KEY: createHash('sha256').update('relay').digest('hex'),
  GASLESS_TESTNET_JETTONS: JSON.stringify([
    { master: local.master.toString({ testOnly: true }), decimals: 6, perTon: '3' },
  ]),
});

async function start(settings: Record<string, string> = {}): Promise<TestProgram> {
  return startTestProgram({
    features: [watch, ton, rates, gasless, gaslessSending],
    settings: { ...settingsOf(), ...settings },
  });
}

beforeAll(async () => {
  local = await startLocalRelay();
  program = await start();
  url = await program.listen();
});
afterAll(async () => {
  await program.stop();
  await local.close();
});

interface Answer {
  readonly status: number;
  readonly body: Record<string, never> & {
    readonly ok?: boolean;
    readonly error?: string;
    readonly error_code?: number;
    readonly errors?: readonly { readonly pointer: string }[];
    readonly commission: string;
    readonly relay_address: string;
    readonly from: string;
    readonly valid_until: number;
    readonly inProgress?: boolean;
    readonly lt?: string;
    readonly messages: readonly {
      readonly address: string;
      readonly amount: string;
      readonly payload: string;
      readonly stateInit?: string;
    }[];
  };
}

const call = (path: string, body?: unknown, at = url): Promise<Answer> =>
  callJson<Answer['body']>(`${at}${path}`, body);

let users = 0;
async function newUser(): Promise<LocalWallet> {
  const user = localWallet(`endpoint user ${(users += 1)}`, 'v5r1', 'testnet');
  await local.mint(user.contract.address, USER_JETTONS);
  return user;
}
const receiver = (): Address =>
  localWallet(`endpoint receiver ${(users += 1)}`, 'v4r2', 'testnet').contract.address;

const rawMaster = (): string => local.master.toRawString();
const bocOf = (user: LocalWallet, to: Address, amount: bigint): string =>
  wantedMessage(local, { wallet: user, to, amount }).toBoc().toString('hex');

const dataOf = (user: LocalWallet, boc: string) => ({
  wallet_address: user.contract.address.toRawString(),
  wallet_public_key: user.keys.publicKey.toString('hex'),
  messages: [{ boc }],
});

/** By which applications ask: of what they have posted, without the state of the wallet, normalized (TEP-467), of the body. */
function hashesOf(hex: string): string[] {
  const posted = Cell.fromHex(hex);
  const { info, body } = loadMessage(posted.beginParse());
  const cells = [
    posted,
    beginCell()
      .store(storeMessage(external({ to: info.dest as Address, body })))
      .endCell(),
    beginCell()
      .store(storeMessage(external({ to: info.dest as Address, body }), { forceRef: true }))
      .endCell(),
    body,
  ];
  return cells.map(cell => cell.hash().toString('hex'));
}

it('the configuration names the jettons and the wallet of the relayer', async () => {
  const expected = {
    gas_jettons: [{ master_id: rawMaster() }],
    relay_address: local.relay.contract.address.toRawString(),
  };
  expect(await call('/gasless/testnet/config')).toEqual({ status: 200, body: expected });
  expect(await call('/v2/gasless/config?network=testnet')).toEqual({ status: 200, body: expected });
  expect((await call('/gasless/mainnet/config')).status).toBe(404);
});

it('a wallet without TON sends jettons, with what it was told to sign', async () => {
  const user = await newUser();
  const to = receiver();
  const data = dataOf(user, bocOf(user, to, 1_000_000n));
  const estimate = await call('/gasless/testnet/estimate', { data, master: rawMaster() });
  expect(estimate).toMatchObject({ status: 200, body: { ok: true, from: data.wallet_address } });
  const { commission, messages } = estimate.body;
  expect(messages).toHaveLength(2);

  const send = {
    wallet_public_key: data.wallet_public_key,
    boc: await signedAnswer(user, estimate.body.messages),
  };
  for (let posts = 0; posts < 3; posts++)
    expect(await call('/gasless/testnet/send', send)).toMatchObject({ status: 200, body: { ok: true } });
  await until(async () => {
    await local.devnet.simulation.produceBlock();
    return (await jettonsOf(local, to)) > 0n;
  });
  expect(await jettonsOf(local, to)).toBe(1_000_000n);
  expect(await jettonsOf(local, user.contract.address)).toBe(USER_JETTONS - 1_000_000n - BigInt(commission));
  expect(await call('/gasless/testnet/send', send)).toMatchObject({ body: { ok: true } });

  for (const txHash of hashesOf(send.boc)) {
    const status = await until(
      () => call('/ton/transactions/status/testnet', { txHash }),
      ({ body: { inProgress } }) => inProgress === false,
    );
    expect(status.body).toMatchObject({ found: true, status: 'confirmed', success: true });
    expect(status.body.lt).toMatch(/^\d+$/);
  }
});

it('operators see the wallet of the relayer, and what it has attached', async () => {
  const { DATA_DIR } = program.deps.config;
  const config = () => readConfig({ ...NETWORKS_OFF, ...settingsOf(), DATA_DIR, LOG_LEVEL: 'fatal' });
  const shown = JSON.parse(await runCommand([gaslessCommand], config, ['--json', 'gasless', 'status'])) as {
    readonly relayers: readonly Record<'network' | 'wallet' | 'balance' | 'spentInDay', string>[];
  };
  const [relayer] = shown.relayers;
  expect(relayer).toMatchObject({ network: 'testnet', fault: null, inFlight: null });
  expect(Address.parse(relayer!.wallet).equals(local.relay.contract.address)).toBe(true);
  expect(toNano(relayer!.balance)).toBe(await coinsOf(local, local.relay.contract.address));
  // Of the one transfer before.
  expect(relayer!.spentInDay).toMatch(/^0\.1\d+$/);
});

it('the status of what nobody has taken on is not known', async () =>
  expect(await call('/ton/transactions/status/testnet', { txHash: 'ab'.repeat(32) })).toEqual({
    status: 200,
    body: { found: false, inProgress: true, status: 'processing' },
  }));

/**
 * What `@tetherto/wdk-wallet-ton-gasless` 1.0.0-beta.11 is known to check before it signs. The package itself does not run here.
 */
function expectAcceptable(quote: Answer['body'], user: LocalWallet, asked: Cell): void {
  const relay = local.relay.contract.address;
  expect(Address.parse(quote.relay_address).equals(relay)).toBe(true);
  expect(Address.parse(quote.from).equals(user.contract.address)).toBe(true);
  expect(Number.isSafeInteger(quote.valid_until) && quote.valid_until > Date.now() / 1_000).toBe(true);
  expect(BigInt(quote.commission)).toBeGreaterThan(0n);
  const { info, body } = loadMessageRelaxed(asked.beginParse());
  if (info.type !== 'internal') throw new Error('not internal');
  const [target, paid, ...others] = quote.messages;
  expect(others).toEqual([]);
  expect(target).toEqual({
    address: info.dest.toRawString(),
    amount: info.value.coins.toString(),
    payload: expect.any(String),
  });
  expect(Cell.fromHex(target!.payload).equals(body)).toBe(true);

  const jettonWallet = local.jettonWalletOf(user.contract.address).toRawString();
  expect(paid).toEqual({ address: jettonWallet, amount: expect.any(String), payload: expect.any(String) });
  expect(BigInt(paid!.amount) > 0n && BigInt(paid!.amount) <= 50_000_000n).toBe(true);
  const slice = Cell.fromHex(paid!.payload).beginParse();
  expect(slice.loadUint(32)).toBe(0x0f8a7ea5);
  slice.skip(64);
  expect(slice.loadCoins()).toBe(BigInt(quote.commission));
  for (let address = 0; address < 2; address++) expect(slice.loadAddress().equals(relay)).toBe(true);
  expect(slice.loadMaybeRef()).toBeNull();
  expect(slice.loadCoins()).toBe(0n);
  expect(slice.loadBit()).toBe(false);
  slice.endParse();
}

it('clients of TonAPI do the same, with its paths, its answers and its errors', async () => {
  const user = await newUser();
  const to = receiver();
  const data = dataOf(user, bocOf(user, to, 2_000n));
  const path = `/v2/gasless/estimate/${rawMaster()}?network=testnet`;
  const estimate = await call(path, data);
  expect(estimate).toMatchObject({ status: 200, body: { protocol_name: 'gasless' } });
  expectAcceptable(estimate.body, user, Cell.fromHex(data.messages[0]!.boc));
  const send = {
    wallet_public_key: data.wallet_public_key,
    boc: await signedAnswer(user, estimate.body.messages),
  };
  expect(await call('/v2/gasless/send?network=testnet', send)).toEqual({
    status: 200,
    body: { protocol_name: 'gasless' },
  });

  const poor = localWallet('endpoint poor', 'v5r1', 'testnet');
  expect(await call(path, dataOf(poor, bocOf(poor, to, 2_000n)))).toMatchObject({
    status: 400,
    body: { code: 'gasless_refused', error_code: 40_012 },
  });
  expect(await call('/v2/gasless/send?network=testnet', { ...send, boc: bocOf(user, to, 1n) })).toMatchObject(
    { status: 400, body: { code: 'gasless_refused', error_code: 40_001 } },
  );
});

it('refusals are 200, and say no more than wallets know', async () => {
  const user = await newUser();
  const data = dataOf(user, bocOf(user, receiver(), 1_000n));
  const quote = await call('/gasless/testnet/estimate', { data, master: rawMaster() });
  const carrier = await signedAnswer(user, quote.body.messages);
  const asked: [string, object, string][] = [
    ['estimate', { data, master: `0:${'7'.repeat(64)}` }, 'try-later'],
    ['estimate', { data: { ...data, wallet_public_key: '00'.repeat(32) }, master: rawMaster() }, 'try-later'],
    [
      'estimate',
      { data: { ...data, messages: [data.messages[0], data.messages[0]] }, master: rawMaster() },
      'try-later',
    ],
    [
      'estimate',
      { data: { ...data, messages: [{ boc: 'b5ee9c720101010100020000' + '00' }] }, master: rawMaster() },
      'try-later',
    ],
    // What would be sent in place of the message whose price is asked for.
    ['estimate', { data: { ...data, messages: [{ boc: carrier }] }, master: rawMaster() }, 'try-later'],
    ['send', { wallet_public_key: data.wallet_public_key, boc: data.messages[0]!.boc }, 'try-later'],
  ];
  for (const [what, body, error] of asked)
    expect(await call(`/gasless/testnet/${what}`, body)).toEqual({ status: 200, body: { ok: false, error } });
  expect(await call('/gasless/mainnet/send', asked.at(-1)![1])).toMatchObject({ status: 404 });
});

it('the master is named beside the data, in it, or in both alike', async () => {
  const user = await newUser();
  const data = dataOf(user, bocOf(user, receiver(), 1_000n));
  const estimate = (body: object) => call('/gasless/testnet/estimate', body);
  const friendly = local.master.toString({ testOnly: true, bounceable: false });
  expect(await estimate({ data: { ...data, master: friendly } })).toMatchObject({ body: { ok: true } });
  expect(await estimate({ data: { ...data, master: friendly }, master: rawMaster() })).toMatchObject({
    body: { ok: true },
  });
  const other = `0:${'7'.repeat(64)}`;
  const differing = await estimate({ data: { ...data, master: other }, master: rawMaster() });
  expect(differing).toMatchObject({ status: 400, body: { errors: [{ pointer: '/body/data/master' }] } });
  expect(await estimate({ data })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/body/master' }] },
  });
});

it.each([
  ['no hexadecimal', 'zz', '/body/boc'],
  ['half a byte', 'b5e', '/body/boc'],
  ['no bag of cells', 'b5ee', '/body/boc'],
  ['too long', '00'.repeat(16 * 1024 + 1), '/body/boc'],
])('a body that no application sends is refused with its field: %s', async (_, boc, pointer) => {
  const answer = await call('/gasless/testnet/send', { wallet_public_key: '00'.repeat(32), boc });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
});

it('a source that has spent its share gets nothing more, and another source is served', async () => {
  // One transfer attaches some 0.13 TON. A minute may end between two.
  const limited = await start({ GASLESS_SOURCE_TON_PER_DAY: '0.2', TRUSTED_PROXIES: '1' });
  try {
    const at = await limited.listen();
    const sendFrom = async (ip: string): Promise<string> => {
      const user = await newUser();
      const data = dataOf(user, bocOf(user, receiver(), 1_000n));
      const estimate = await call('/gasless/testnet/estimate', { data, master: rawMaster() }, at);
      const response = await fetch(`${at}/gasless/testnet/send`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': ip },
        body: JSON.stringify({
          wallet_public_key: data.wallet_public_key,
          boc: await signedAnswer(user, estimate.body.messages),
        }),
      });
      return response.text();
    };
    expect(await sendFrom('198.51.100.1')).toContain('"ok":true');
    expect(await sendFrom('198.51.100.1')).toContain('try-later');
    expect(await sendFrom('198.51.100.2')).toContain('"ok":true');
  } finally {
    await limited.stop();
  }
});

it('beyond a quota the answer is a refusal, which applications do not repeat', async () => {
  const limited = await start({ RATE_LIMIT_GASLESS_ESTIMATES: '1' });
  try {
    const at = await limited.listen();
    const user = await newUser();
    const asked = { data: dataOf(user, bocOf(user, receiver(), 1_000n)), master: rawMaster() };
    expect(await call('/gasless/testnet/estimate', asked, at)).toMatchObject({ body: { ok: true } });
    expect(await call('/gasless/testnet/estimate', asked, at)).toEqual({
      status: 200,
      body: { ok: false, error: 'try-later' },
    });
  } finally {
    await limited.stop();
  }
});

it('while no node answers it is not known yet: 503', async () => {
  const alone = await start({ TON_RPC_URL_TESTNET: 'http://127.0.0.1:9' });
  try {
    const user = localWallet('endpoint alone', 'v5r1', 'testnet');
    const data = dataOf(user, bocOf(user, receiver(), 1_000n));
    const at = await alone.listen();
    const answer = await call('/gasless/testnet/estimate', { data, master: rawMaster() }, at);
    expect(answer.status).toBe(503);
  } finally {
    await alone.stop();
  }
});
