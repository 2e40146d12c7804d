import { randomBytes } from 'node:crypto';
import { formatTonAddress } from '../../contracts/account/address';
import { startChangellyDouble, type ChangellyDouble } from '../../infra/devnet/exchange/changelly-double';
import { privateKey, publicKey } from '../devnet/changelly';
import { send, type Answer } from '../e2e/client';
import { spawnTidemark, type Tidemark } from '../e2e/tidemark';
import { scaled } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { report } from './report';
import { LOCAL_MAINNETS } from '../local-networks';

const CYCLES = scaled(0.8);
const ORDERS_BEFORE_KILL = 40;
const CLIENTS = 8;
/** Once in so many orders the partner drops the connection after it has made the order. */
const LOSE_EVERY = 5;
const FINISH_MS = 300_000;

/** One tap of a user: the same request, until it is answered. */
interface Tap {
  readonly wallet: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly amount: string;
  /** Abandoned: two calls were lost in kills before the partner had them, and the user is told to order again. */
  answer: { readonly id: string; readonly payinAddress: string } | 'abandoned' | null;
}

const folder = temporaryFolder();
let double: ChangellyDouble;
beforeAll(async () => {
  double = await startChangellyDouble({ publicKey, requestsPerSecond: Infinity });
});
afterAll(() => double.close());

const start = (): Promise<Tidemark> =>
  spawnTidemark({
    DATA_DIR: folder,
    LOCAL_TRAFFIC: 'false',
    ...LOCAL_MAINNETS,
    CHANGELLY_URL: double.url,
    CHANGELLY_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('hex'),
    EXCHANGE_REQUESTS_PER_SECOND: '1000',
    RATE_LIMIT_EXCHANGE_ORDERS: '0',
    MAX_UNPAID_EXCHANGE_ORDERS: '0',
  }).ready();

const taps: Tap[] = [];

/** No two orders are of the same amount, so that those of one tap are counted at the partner. */
function tap(wallet = formatTonAddress(`0:${randomBytes(32).toString('hex')}`, 'mainnet', false)): Tap {
  const amount = `0.${String(10_000 + taps.length).padStart(6, '0')}`;
  const order = { fromCurrency: 'btc', toCurrency: 'ton', network: 'bitcoin', amount, wallet };
  const made = {
    wallet,
    amount,
    body: { ...order, idempotencyKey: String(taps.length), isTestnet: false },
    answer: null,
  };
  taps.push(made);
  return made;
}

/** Sends the tap. @returns whether it was answered with what became of it, always the same */
async function press(url: string, pressed: Tap): Promise<boolean> {
  const body = JSON.stringify(pressed.body);
  const answer = await send(url, 'POST', '/exchange/transaction/create', { body }).catch(() => null);
  // Killed, or not placed within the time of a request.
  if (answer === null || answer.status === 503) return false;
  const became = becameOf(answer);
  pressed.answer ??= became;
  expect(became).toEqual(pressed.answer);
  return true;
}

function becameOf({ status, body }: Answer): NonNullable<Tap['answer']> {
  if (status === 409) {
    expect(body).toMatchObject({ code: 'exchange_order_abandoned' });
    return 'abandoned';
  }
  expect([status, body]).toEqual([200, expect.anything()]);
  const { id, payinAddress } = body as { id: string; payinAddress: string };
  return { id, payinAddress };
}

/** Users press, and the program is killed in the middle of it. */
async function runAndKill(): Promise<void> {
  const program = await start();
  let answered = 0;
  let isKilled = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isKilled) {
      if (taps.length % LOSE_EVERY === 0)
        double.failNext('commit-then-drop', { method: 'createTransaction' });
      if (await press(program.url, tap())) answered++;
    }
  });
  await Promise.race([until(() => answered >= ORDERS_BEFORE_KILL), Promise.all(clients)]);
  isKilled = true;
  expect(await program.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  await Promise.all(clients);
}

test(`a tap is one order at the partner when the program is killed ${CYCLES} times`, async () => {
  const began = Date.now();
  for (let cycle = 1; cycle <= CYCLES; cycle++) await runAndKill();
  const open = taps.filter(({ answer }) => answer === null).length;

  const program = await start();
  // Those ordered again come to the end of the list, and are pressed too.
  for (const pressed of taps) {
    await until(() => press(program.url, pressed), Boolean, FINISH_MS);
    if (pressed.answer === 'abandoned') tap(pressed.wallet);
  }
  expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  const orders = double.orders();
  for (const { amount, answer } of taps) {
    const made = orders.filter(({ amountExpectedFrom }) => Number(amountExpectedFrom) === Number(amount));
    expect(made.map(({ payinAddress }) => payinAddress)).toEqual(
      answer === 'abandoned' ? [] : [answer!.payinAddress],
    );
  }
  const placed = taps.flatMap(({ answer }) => (answer === 'abandoned' ? [] : [answer!.id]));
  expect(new Set(placed).size).toBe(placed.length);
  expect(orders).toHaveLength(placed.length);
  report([
    ['times killed', CYCLES],
    ['seconds', Math.round((Date.now() - began) / 1_000)],
    ['orders', placed.length],
    ['unanswered at a kill', open],
    ['abandoned and ordered again', taps.length - placed.length],
  ]);
});
