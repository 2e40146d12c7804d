import type { TonTrace, TraceMessage } from '../../../contracts/chain/ton-trace';
import type { StakeTransaction } from '../../../projections/ton/stakes/queries';
import type { StakeAnswer, StakeRequest } from '../../../projections/ton/stakes/stake-messages';
import { movementsOf, wholeForwardFee } from './movements';

const POOL = `0:${'9'.repeat(64)}`;
const TON = 1_000_000_000n;
const FEES = { depositFee: String(TON / 10n), receiptPrice: String(TON / 10n) };
/** What is left of a fee of 400,000 nanotons. */
const REST = 266_669n;

const request = (lt: number, of: Partial<StakeRequest> = {}): StakeTransaction => ({
  lt: String(lt),
  time: lt,
  answer: null,
  requests: [
    {
      pool: POOL,
      message: `m${lt}`,
      type: 'deposit',
      trigger: 'payload',
      queryId: '7',
      value: String(100n * TON),
      ...of,
    },
  ],
});

/** At logical time `createdLt + 5`. */
const answer = (createdLt: number, of: Partial<StakeAnswer> = {}): StakeTransaction => ({
  lt: String(createdLt + 5),
  time: createdLt + 5,
  requests: [],
  answer: {
    pool: POOL,
    message: `a${createdLt}`,
    type: 'deposit',
    refused: false,
    queryId: '7',
    value: String(TON / 10n - 400_000n),
    fwdFee: String(REST),
    createdLt: String(createdLt),
    createdAt: createdLt,
    ...of,
  },
});

const paid = (amount: bigint): Partial<StakeAnswer> => ({
  type: 'withdraw',
  value: String(amount + TON / 10n - 400_000n),
});

const inTrace = (hash: string, parent: number | null, success: boolean | null): TraceMessage => ({
  hash,
  parent,
  src: parent === null ? 'member' : POOL,
  dest: parent === null ? POOL : 'member',
  createdLt: '1',
  value: '1',
  fwdFee: '1',
  bounced: false,
  op: 0,
  jetton: null,
  transaction:
    success === null
      ? null
      : { lt: '1', hash: '', time: 1, success, exitCode: 0, fees: '1', deployed: false },
});

/** By the request, whether the pool took it (null: not known), and its answer. */
const traces =
  (outcomes: Readonly<Record<string, readonly [taken: boolean | null, answer?: string]>>) =>
  (lt: string): TonTrace | null => {
    const outcome = outcomes[lt];
    if (!outcome) return null;
    const [taken, found] = outcome;
    const messages = [inTrace(`m${lt}`, null, taken), ...(found ? [inTrace(found, 0, true)] : [])];
    return { state: 'complete', messages };
  };
const noTraces = () => null;

const amounts = (transactions: readonly StakeTransaction[], traceOf: Parameters<typeof movementsOf>[1]) =>
  movementsOf(transactions, traceOf, FEES).movements.map(({ type, amount }) => [type, amount]);

test('a deposit counts without its fees, as of the transaction of the pool', () => {
  const { movements, open } = movementsOf(
    [request(10, { trigger: 'comment', queryId: null }), answer(21, { queryId: null })],
    noTraces,
    FEES,
  );
  expect(open).toEqual([]);
  expect(movements).toEqual([
    { type: 'deposit', amount: 100n * TON - TON / 5n, trigger: 'comment', poolLt: 20n, time: 21 },
  ]);
});

test('a withdrawal counts by what was paid, to the nanoton, and one that is pending does not', () => {
  const transactions = [
    request(10, { type: 'withdraw', queryId: '1' }),
    answer(21, { ...paid(0n), queryId: '1' }),
    request(30, { type: 'withdraw', queryId: '2' }),
    answer(41, { ...paid(123_456_789n), queryId: '2' }),
  ];
  expect(amounts(transactions, noTraces)).toEqual([['withdraw', 123_456_789n]]);
});

test('what was moved before the owner of the pool changed its fees is as it was then', () => {
  const transactions = [
    request(10, { queryId: '1' }),
    answer(21, { queryId: '1' }),
    request(30, { type: 'withdraw', queryId: '2' }),
    answer(41, { ...paid(5n * TON), queryId: '2' }),
  ];
  const outcomes = traces({ '10': [true, 'a21'], '30': [true, 'a41'] });
  const then = { fee: FEES.depositFee, receipt: FEES.receiptPrice };
  const traceOf = (lt: string): TonTrace => ({ ...outcomes(lt)!, depositFees: { [POOL]: then } });
  const present = { depositFee: String(3n * TON), receiptPrice: String(2n * TON) };
  const { movements } = movementsOf(transactions, traceOf, present);
  expect(movements.map(({ amount }) => amount)).toEqual([100n * TON - TON / 5n, 5n * TON]);
});

test.each([
  ['came back', true],
  ['the pool refused and kept', false],
])('a deposit that %s is none, and takes no receipt of the next one', (_, isReturned) => {
  const transactions = [
    request(10, { trigger: 'comment', queryId: null, value: String(500n * TON) }),
    ...(isReturned ? [answer(15, { queryId: null, refused: true })] : []),
    request(20, { trigger: 'comment', queryId: null }),
    answer(31, { queryId: null }),
  ];
  const traceOf = traces({
    '10': isReturned ? [false, 'a15'] : [false],
    '20': [true, 'a31'],
  });
  expect(amounts(transactions, traceOf)).toEqual([['deposit', 100n * TON - TON / 5n]]);
  // Without traces, as of contracts, what came back is recognised by its message.
  if (isReturned) expect(amounts(transactions, noTraces)).toEqual([['deposit', 100n * TON - TON / 5n]]);
});

test.each([
  ['the pool has not answered', [request(10)], noTraces],
  ['whose trace is open', [request(10)], traces({ '10': [null] })],
  ['whose receipt has not arrived', [request(10)], traces({ '10': [true, 'a21'] })],
])('a request is open that %s', (_, transactions, traceOf) => {
  const { movements, open } = movementsOf(transactions, traceOf, FEES);
  expect([movements, open]).toEqual([[], [{ lt: 10n, time: 10 }]]);
});

test('a receipt alone is no money, whatever its text says and who sends it', () => {
  const { movements, open } = movementsOf(
    [answer(21), answer(31, paid(1_000n * TON)), answer(41, { queryId: null })],
    noTraces,
    FEES,
  );
  expect([movements, open]).toEqual([[], []]);
});

test('a receipt does not belong to a later request', () => {
  const { movements, open } = movementsOf([answer(5), request(10)], noTraces, FEES);
  expect([movements, open.length]).toEqual([[], 1]);
});

test('who is put out of the pool is paid', () => {
  const kicked = answer(21, { type: 'kick', queryId: '9', value: String(42n * TON) });
  expect(amounts([kicked], noTraces)).toEqual([['withdraw', 42n * TON]]);
});

test.each([
  [400_000n, 266_669n],
  [440_000n, 440_000n - (440_000n * 21_845n) / 65_536n],
  [516_400n, 516_400n - (516_400n * 21_845n) / 65_536n],
  [1_000_000n, 1_000_000n - (1_000_000n * 21_845n) / 65_536n],
])('of a fee of %s nanotons a message carries %s', (fee, rest) => {
  expect(wholeForwardFee(rest)).toBe(fee);
});
