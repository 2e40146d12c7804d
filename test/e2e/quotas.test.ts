import { accessesOf } from '../../contracts/http/endpoint';
import type { Quota } from '../../contracts/quota';
import { quotaSetting } from '../../infra/config/settings';
import { FEATURES } from '../../infra/program/features';
import { ENDPOINTS } from '../endpoints';
import { cardClient } from '../card/holder';
import { keysOf, readRequest, writeRequest } from '../storage/device';
import { until } from '../until';
import { send } from './client';
import { exampleCallsOf, type Documented, type ExampleCall } from './example-calls';
import { EXCEPTIONS } from './example-exceptions';
import { installation } from './installation';
import '../starts-programs';

/*
 * Each quota of a minute, on a program that runs as `npm start` does: a stranger uses up its own by calls that cost it, and
 * somebody else is served beside it.
 */

const TEST_MS = 300_000;
const LIMIT = 3;
/** Those that calls of other quotas cost too, and a large value of cloud storage costs at once. */
const LIMITS: Readonly<Record<string, number>> = {
  node_reads: 30,
  storage_writes: 64,
  card_enrolments: 40,
  card_calls: 6,
  card_steps: 5,
  push_registrations: 5,
};
const limitOf = ({ name }: Quota): number => LIMITS[name] ?? LIMIT;

const main = installation({
  traffic: true,
  settings: {
    ...Object.fromEntries(FEATURES.quotas.map(quota => [quotaSetting(quota), String(limitOf(quota))])),
    TRUSTED_PROXIES: '1',
  },
});

interface Sent {
  readonly from: string;
  /** Whose token it has. */
  readonly subject?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
interface Attack {
  /** The operation, and the name of its example; default: the first that declares the quota. */
  readonly example?: string;
  /** What the n-th call has instead of the example. */
  readonly stranger?: (n: number) => Partial<Sent> | Promise<Partial<Sent>>;
  /** Default: as the first one of the stranger. */
  readonly honest?: () => Partial<Sent> | Promise<Partial<Sent>>;
  /** What it is answered; default: 200. */
  readonly served?: number;
}

const address = (n: number): string => `0:${n.toString(16).padStart(64, '7')}`;
/** Networks, of which each quota has one. */
const [STRANGER, HONEST] = ['2001:db8:1', '2001:db8:2'];
const elsewhere = (n: number): string => `2001:db8:${n + 10}`;
const guess = (token: string, n: number) => ({
  body: { token, data: { id: `guess-${n}`, status: 'CONFIRMED' } },
});
const KNOWN_HOLDER = 'local-alice-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const holders = new Map<string, Promise<string>>();
/** @returns the token of a card holder who is enrolled for this test */
function holder(name: string): Promise<string> {
  const enrolled = holders.get(name) ?? cardClient(`${main.program.url}/card`).enrol(keysOf(name));
  holders.set(name, enrolled);
  return enrolled;
}

let calls: readonly ExampleCall[];
const nameOf = ({ operationId, name }: ExampleCall): string => `${operationId} ${name}`;
const callOf = (example: string): ExampleCall => calls.find(call => nameOf(call) === example)!;
const exceptionOf = async (example: string): Promise<Partial<Sent>> =>
  EXCEPTIONS[example]!.instead!(new Map(), callOf(example).body as Record<string, unknown>, main.program.url);
const email = async (name: string) => ({
  body: { token: await holder(name), email: `${name}@example.com` },
});
/** It may be posted again, by anybody who has it. */
let transfer: Promise<Partial<Sent>> | undefined;
const ofBilling = (example: string): Attack => ({
  example,
  stranger: n => ({ from: elsewhere(n), subject: `stranger of ${example}` }),
  honest: () => ({ subject: `honest caller of ${example}` }),
});
const written = (name: string): { body: unknown } => ({
  body: writeRequest(keysOf(name), 0, Buffer.from('a')),
});

const ATTACKS: Readonly<Record<string, Attack>> = {
  address: {
    example: 'instanceAdmin get_revenue',
    stranger: n => ({ subject: `stranger ${n}` }),
    honest: () => ({ subject: 'honest' }),
  },
  failures: {
    example: 'instanceAdmin get_revenue',
    honest: () => ({ from: STRANGER, subject: 'honest at the same address' }),
  },
  first_reads: {
    example: 'getTransactions 1',
    stranger: n => ({ params: { address: address(n) } }),
    honest: () => ({}),
  },
  node_reads: {
    example: 'getRpcAccountLite 1',
    stranger: n => ({ params: { address: address(n) } }),
    honest: () => ({}),
  },
  messages: { example: 'sendRpcMessage 1', honest: () => exceptionOf('sendRpcMessage 1') },
  contract_reads: {
    example: 'getLiquidStakingMember 1',
    stranger: n => ({ body: { address: address(n), isTestnet: false } }),
    honest: () => ({}),
  },
  token_prices: { example: 'getRates 1' },
  gasless_estimates: { example: 'gaslessEstimate 1' },
  gasless_sends: { example: 'gaslessSend 1', stranger: () => (transfer ??= exceptionOf('gaslessSend 1')) },
  bridge_messages: { example: 'tonconnectMessage 1' },
  bridge_streams: { example: 'getTonconnectEvents 1' },
  storage_reads: { example: 'storageRead 1', stranger: () => ({ body: readRequest(keysOf('anybody')) }) },
  storage_writes: {
    example: 'storageWrite 1',
    stranger: n => written(`key ${n}`),
    honest: () => written('key of somebody else'),
  },
  storage_key_writes: {
    example: 'storageWrite 1',
    stranger: n => ({ from: elsewhere(n), ...written('one key') }),
    honest: () => written('another key'),
  },
  wallet_requests: { honest: () => exceptionOf('walletRequestCreate 1') },
  card_enrolments: { honest: () => exceptionOf('connectCardWallet 1') },
  card_steps: {
    example: 'startCardEmail 1',
    stranger: n => email(`impatient-${n}`),
    honest: () => email('patient'),
  },
  card_contact_codes: {
    example: 'startCardPhone 1',
    stranger: async n => ({ body: { token: await holder(`stranger ${n}`), phone: '+4930123456' } }),
    honest: async () => ({ body: { token: await holder('owner of the number'), phone: '+4930123456' } }),
  },
  card_calls: {
    example: 'getCardProfile 1',
    stranger: async n => ({ from: elsewhere(n), body: { token: await holder('who asks too much') } }),
    honest: async () => ({ body: { token: await holder('who asks once') } }),
  },
  card_changes: {
    stranger: async n => ({ body: { token: await holder(`changer ${n}`), id: KNOWN_HOLDER } }),
    honest: () => ({}),
  },
  card_dead_tokens: {
    example: 'getCardProfile 1',
    stranger: n => ({ body: { token: `dead-${n}`.padEnd(40, 'x') } }),
    honest: async () => ({ from: STRANGER, body: { token: await holder('honest at the same address') } }),
  },
  // Nobody here has the secret of the issuer.
  card_unsigned_webhooks: { example: 'receiveCardIssuerWebhook 1', served: 401 },
  card_challenge_guesses: {
    example: 'confirmCardOtpRequest 1',
    stranger: n => ({ from: elsewhere(n), ...guess(KNOWN_HOLDER, n) }),
    honest: async () => guess(await holder('who is asked once'), 0),
  },
  exchange_estimates: {
    example: 'exchangeEstimate 1',
    stranger: n => ({ body: { fromCurrency: 'btc', toCurrency: 'ton', amount: `0.01${n}` } }),
    honest: () => ({}),
  },
  push_registrations: { stranger: () => ({ body: {} }), honest: () => ({}) },
  push_changes: {
    example: 'pushRegister 1',
    stranger: n => ({
      body: { ...(callOf('pushRegister 1').body as object), token: `ExponentPushToken[${n}]` },
    }),
    honest: () => ({}),
  },
  reads: ofBilling('instanceAdmin get_revenue'),
  exports: ofBilling('instanceAdmin export_revenue_csv'),
  writes: ofBilling('instanceAdmin set_rebate_rule'),
  fees: ofBilling('recordFees record'),
};

/** Those whose refusal nobody sees, and the file that has the attack. */
const UNSEEN = {
  stored_contracts: 'services/ton-contracts/observe-shown.test.ts',
};

const tokens = new Map<string, string>();
async function tokenOf(subject: string): Promise<string> {
  const issue = ['token', '--role', 'admin', '--secure', '--ttl', '86400', '--subject', subject];
  if (!tokens.has(subject)) tokens.set(subject, (await main.command<{ token: string }>(...issue)).token);
  return tokens.get(subject)!;
}

beforeAll(async () => {
  await until(
    async () => (await send(main.program.url, 'GET', '/devnet')).body.seeded as boolean,
    Boolean,
    TEST_MS,
  );
  calls = exampleCallsOf((await send(main.program.url, 'GET', '/openapi.json')).body.paths as Documented);
}, TEST_MS);

/** The first operation that declares a quota. */
function declaring(quota: Quota): ExampleCall {
  const { path, method } = ENDPOINTS.find(each =>
    accessesOf(each).some(({ rateLimit }) => rateLimit === quota),
  )!;
  return calls.find(call => call.path === path && call.method === method)!;
}

async function answerTo(call: ExampleCall, { from, subject, params, body = call.body }: Partial<Sent>) {
  const search = new URLSearchParams(call.query).toString();
  const given: Record<string, string> = { ...call.params, ...params };
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name]!));
  const leave = new AbortController();
  const response = await fetch(`${main.program.url}${path}${search && `?${search}`}`, {
    method: call.method,
    headers: {
      'X-Forwarded-For': from!,
      'Content-Type': 'application/json',
      ...(subject !== undefined && { Authorization: `Bearer ${await tokenOf(subject)}` }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: leave.signal,
  });
  const { status } = response;
  // A stream does not end.
  const text = status === 200 && call.kind === 'sse' ? '' : await response.text();
  leave.abort();
  return { status, text };
}

const isRefusedBy = ({ name, beyond }: Quota, { status, text }: { status: number; text: string }): boolean =>
  beyond === undefined
    ? status === 429 && text.includes(`"violated-policies":["${name}"]`)
    : text.includes('try-later');

it.each(FEATURES.quotas.filter(({ name }) => !(name in UNSEEN)).map(quota => [quota.name, quota] as const))(
  'a stranger who has used up its %s keeps nobody else from being served',
  async (name, quota) => {
    const { example, stranger = () => ({}), honest, served = 200 }: Attack = ATTACKS[name] ?? {};
    const call = example === undefined ? declaring(quota) : callOf(example);
    // Nothing that another test counts.
    const at = (address: string): string => `${address}:${FEATURES.quotas.indexOf(quota) + 1}::1`;
    const ask = (given: Partial<Sent>) => answerTo(call, { ...given, from: at(given.from ?? HONEST) });
    const attack = async (n: number) => ask({ from: STRANGER, ...(await stranger(n)) });
    for (let n = 0; n < limitOf(quota); n++) {
      const answer = await attack(n);
      expect([answer, answer.status, isRefusedBy(quota, answer)]).not.toEqual([answer, 429, false]);
      expect([answer, isRefusedBy(quota, answer)]).toEqual([answer, false]);
    }
    const beyond = await attack(limitOf(quota));
    expect([beyond, isRefusedBy(quota, beyond)]).toEqual([beyond, true]);
    const answer = await ask(await (honest ?? (() => stranger(0)))());
    expect(answer).toMatchObject({ status: served });
    expect([answer, isRefusedBy(quota, answer)]).toEqual([answer, false]);
  },
  TEST_MS,
);

it('HEAD costs as much as GET', async () => {
  const call = callOf('getTransactions 1');
  const ask = (n: number, method: string) =>
    answerTo({ ...call, method }, { from: '2001:db8:3::1', params: { address: address(100 + n) } });
  for (let n = 0; n < LIMIT; n++) expect(await ask(n, 'HEAD')).not.toMatchObject({ status: 429 });
  expect(await ask(LIMIT, 'HEAD')).toMatchObject({ status: 429 });
  expect(await ask(LIMIT, 'GET')).toMatchObject({ status: 429 });
});
