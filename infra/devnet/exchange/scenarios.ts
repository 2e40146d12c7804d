import type { Fault } from './faults';
import type { NumberForm } from './number-forms';
import type { RateType } from './quote';
import { readJson } from '../../../contracts/json/read-json';

/** A status of the API, or one that it does not document. */
export type Status =
  | 'waiting'
  | 'confirming'
  | 'exchanging'
  | 'sending'
  | 'finished'
  | 'failed'
  | 'refunded'
  | 'hold'
  | 'overdue'
  | 'expired'
  | 'under_review';

/** `unpaid` is `overdue` for a floating rate and `expired` for a fixed one, at the end of the time for the payment. */
export type Step = readonly [status: Status | 'unpaid', secondsAfterPrevious: number];

export interface Scenario {
  /** An order has it whose amount has exactly so many millionths after the point. */
  readonly code: number;
  readonly description: string;
  /** What follows `waiting`. */
  readonly steps: readonly Step[];
  /** Of the amount of the order, what is paid in; default 100. */
  readonly paidPercent?: bigint;
  /** Happens to the first call that creates an order with its currencies, amount and address. */
  readonly fault?: Fault;
  /** The order gets the id of the one before it. */
  readonly repeatsId?: true;
  /** Default: texts without an exponent. */
  readonly numbers?: NumberForm;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const PAYOUT: readonly Step[] = [
  ['exchanging', 2 * MINUTE],
  ['sending', MINUTE],
  ['finished', MINUTE],
];
const PAID: readonly Step[] = [['confirming', MINUTE], ...PAYOUT];

const happyBut = (code: number, fault: Fault, description: string): Scenario => ({
  code,
  description,
  steps: PAID,
  fault,
});

export const SCENARIOS = {
  happy: { code: 1, description: 'paid and finished', steps: PAID },
  'hold-then-finish': {
    code: 2,
    description: 'held for a check of the customer, then finished',
    steps: [
      ['confirming', MINUTE],
      ['hold', MINUTE],
      ['exchanging', HOUR],
      ['sending', MINUTE],
      ['finished', MINUTE],
    ],
  },
  'late-payment': {
    code: 3,
    description: 'overdue (fixed rate: expired), paid four hours later and finished',
    steps: [['unpaid', 0], ['confirming', 4 * HOUR], ...PAYOUT],
  },
  unpaid: {
    code: 4,
    description: 'never paid: overdue (fixed rate: expired)',
    steps: [['unpaid', 0]],
  },
  'late-payment-refunded': {
    code: 5,
    description: 'overdue (fixed rate: expired), paid an hour later and refunded',
    steps: [
      ['unpaid', 0],
      ['confirming', HOUR],
      ['refunded', 2 * MINUTE],
    ],
  },
  refunded: {
    code: 6,
    description: 'paid, the exchange fails, refunded',
    steps: [
      ['confirming', MINUTE],
      ['exchanging', 2 * MINUTE],
      ['refunded', 2 * MINUTE],
    ],
  },
  failed: {
    code: 7,
    description: 'a hundredth of the amount is paid, failed',
    paidPercent: 1n,
    steps: [
      ['confirming', MINUTE],
      ['failed', 2 * MINUTE],
    ],
  },
  'failed-then-reopened': {
    code: 8,
    description: 'failed, opened again by support, finished',
    steps: [['confirming', MINUTE], ['failed', 2 * MINUTE], ['exchanging', HOUR], ...PAYOUT.slice(1)],
  },
  'backward-status': {
    code: 9,
    description: 'from sending back to waiting for a minute, then finished',
    steps: [['confirming', MINUTE], ...PAYOUT.slice(0, 2), ['waiting', MINUTE], ['finished', MINUTE]],
  },
  'change-after-finish': {
    code: 10,
    description: 'finished, and an hour later refunded',
    steps: [...PAID, ['refunded', HOUR]],
  },
  'unknown-status': {
    code: 11,
    description: 'a status that is not documented, then finished',
    steps: [['confirming', MINUTE], ['under_review', MINUTE], ...PAYOUT],
  },
  underpaid: {
    code: 12,
    description: 'ninety percent are paid and exchanged, finished',
    paidPercent: 90n,
    steps: PAID,
  },
  'duplicate-id': {
    code: 13,
    description: 'gets the id of the order before it',
    steps: PAID,
    repeatsId: true,
  },
  exponents: {
    code: 14,
    description: 'paid and finished, numbers such as `5E-8`',
    steps: PAID,
    numbers: 'exponents',
  },
  'json-numbers': {
    code: 15,
    description: 'paid and finished, numbers of JSON instead of texts',
    steps: PAID,
    numbers: 'json-numbers',
  },
  'many-decimals': {
    code: 16,
    description: 'paid and finished, numbers of 41 decimals',
    steps: PAID,
    numbers: 'many-decimals',
  },
  'negative-fees': {
    code: 17,
    description: 'paid and finished, fees below 0',
    steps: PAID,
    numbers: 'negative-fees',
  },
  'commit-then-drop': happyBut(
    21,
    'commit-then-drop',
    'created, and the connection closed without an answer',
  ),
  'drop-before-commit': happyBut(22, 'drop-before-commit', 'the connection closed, nothing created'),
  'commit-then-502': happyBut(23, 'commit-then-502', 'created, answered by HTTP 502'),
  'http-502': happyBut(24, 'http-502', 'HTTP 502, nothing created'),
  'http-429': happyBut(25, 'http-429', 'HTTP 429, nothing created'),
  'requests-limit': happyBut(26, 'requests-limit', 'error -32600 of the request limit, nothing created'),
  'internal-error': happyBut(27, 'internal-error', 'error -32603, nothing created'),
  html: happyBut(28, 'html', 'an HTML page with HTTP 200, nothing created'),
  'wrong-id': happyBut(29, 'wrong-id', 'created, answered under another request id'),
  truncated: happyBut(30, 'truncated', 'created, answered by the first half of the JSON'),
  huge: happyBut(31, 'huge', 'created, answered by a body of 100 MB'),
  slow: happyBut(32, 'slow', 'created, answered after a minute'),
} satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;

/** Time for the payment. */
export const FIXED_PAYMENT_SECONDS = 20 * MINUTE;
const FLOAT_PAYMENT_SECONDS = 36 * HOUR;

export interface Moment {
  readonly status: Status;
  /** Seconds after the order was created. */
  readonly at: number;
}

/** What happens to an order, from its creation on. */
export function momentsOf(scenario: Scenario, type: RateType): readonly Moment[] {
  const moments: Moment[] = [{ status: 'waiting', at: 0 }];
  let at = 0;
  for (const [status, seconds] of scenario.steps) {
    if (status === 'unpaid') {
      at = type === 'fixed' ? FIXED_PAYMENT_SECONDS : FLOAT_PAYMENT_SECONDS;
      moments.push({ status: type === 'fixed' ? 'expired' : 'overdue', at });
    } else {
      at += seconds;
      moments.push({ status, at });
    }
  }
  return moments;
}

const byCode = new Map(Object.entries(SCENARIOS).map(([name, { code }]) => [code, name as ScenarioName]));

const MILLIONTHS = 6;

/** Of `1.000003`: the scenario with the code 3. */
export function scenarioOfAmount(units: bigint, decimals: number): ScenarioName | undefined {
  const scale = 10n ** BigInt(decimals - MILLIONTHS);
  const fraction = units % 10n ** BigInt(decimals);
  return fraction % scale === 0n ? byCode.get(Number(fraction / scale)) : undefined;
}

/** Of `{"scenario":"refunded"}`. */
export function scenarioOfMetadata(userMetadata: string | null | undefined): ScenarioName | undefined {
  try {
    const { scenario } = readJson(userMetadata ?? '{}') as { scenario?: unknown };
    return Object.keys(SCENARIOS).find((name): name is ScenarioName => name === scenario);
  } catch {
    return undefined;
  }
}
