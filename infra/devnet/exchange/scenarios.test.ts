import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  EVM_ADDRESS,
  PAYOUT,
  START,
  steppedDouble,
  type SteppedDouble,
} from '../../../test/devnet/changelly';
import type { OrderView } from './order';
import { SCENARIOS, type Scenario, type ScenarioName } from './scenarios';

let stepped: SteppedDouble;
beforeEach(async () => {
  stepped = await steppedDouble();
});
afterEach(() => stepped.double.close());

const order = (scenario: ScenarioName) => ({
  from: 'eth',
  to: 'usdton',
  amountFrom: '0.5',
  address: PAYOUT,
  userMetadata: JSON.stringify({ scenario }),
});
const create = (scenario: ScenarioName) => stepped.result('createTransaction', order(scenario));
const createFixed = async (scenario: ScenarioName) => {
  const [rate] = await stepped.result('getFixRateForAmount', {
    from: 'eth',
    to: 'usdton',
    amountFrom: '0.5',
  });
  const fixed = { ...order(scenario), rateId: rate!.id, refundAddress: EVM_ADDRESS };
  return stepped.result('createFixTransaction', fixed);
};
const read = async (id: string): Promise<OrderView> => (await stepped.result('getTransactions', { id }))[0]!;

const MINUTE = 60;
/** What a client sees of the only order, each time its status has changed within 42 hours. */
async function watch(id: string): Promise<readonly OrderView[]> {
  const seen: OrderView[] = [];
  for (let minute = 0; minute < 42 * 60; minute++) {
    // Nothing begins between the sixth hour and the thirty-sixth.
    if (minute === 6 * 60) stepped.advance((35 * 60 - minute) * MINUTE);
    if (minute >= 6 * 60 && minute < 35 * 60) continue;
    if (stepped.double.orders()[0]!.status !== seen.at(-1)?.status) seen.push(await read(id));
    stepped.advance(MINUTE);
  }
  return seen;
}

const PAYOUT_STEPS = ['exchanging', 'sending', 'finished'];
const PAID = ['confirming', ...PAYOUT_STEPS];

describe('timelines', () => {
  it.each<[ScenarioName, string[]]>([
    ['happy', PAID],
    ['hold-then-finish', ['confirming', 'hold', ...PAYOUT_STEPS]],
    ['late-payment', ['overdue', ...PAID]],
    ['unpaid', ['overdue']],
    ['late-payment-refunded', ['overdue', 'confirming', 'refunded']],
    ['refunded', ['confirming', 'exchanging', 'refunded']],
    ['failed', ['confirming', 'failed']],
    ['failed-then-reopened', ['confirming', 'failed', ...PAYOUT_STEPS]],
    ['backward-status', ['confirming', 'exchanging', 'sending', 'waiting', 'finished']],
    ['change-after-finish', [...PAID, 'refunded']],
    ['unknown-status', ['confirming', 'under_review', ...PAYOUT_STEPS]],
    ['underpaid', PAID],
  ])('%s', async (scenario, statuses) => {
    const { id } = await create(scenario);
    expect((await watch(id)).map(({ status }) => status)).toEqual(['waiting', ...statuses]);
  });

  it.each<[ScenarioName, string[]]>([
    ['unpaid', ['expired']],
    ['late-payment', ['expired', ...PAID]],
    ['late-payment-refunded', ['expired', 'confirming', 'refunded']],
  ])('%s at a fixed rate', async (scenario, statuses) => {
    const { id, payTill } = await createFixed(scenario);
    expect(payTill).toBe(new Date(START + 20 * MINUTE * 1_000).toISOString());
    stepped.advance(20 * MINUTE - 1);
    expect((await read(id)).status).toBe('waiting');
    expect((await watch(id)).map(({ status }) => status)).toEqual(['waiting', ...statuses]);
  });

  it('a refund has a hash and sends nothing to the customer', async () => {
    const { id } = await create('refunded');
    stepped.advance(5 * MINUTE);
    expect(await read(id)).toMatchObject({
      status: 'refunded',
      payinHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      refundHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      payoutHash: null,
      amountTo: '0',
      totalFee: null,
    });
  });

  it('an order that is paid in part is exchanged for what was paid', async () => {
    const { id, amountExpectedTo } = await create('underpaid');
    stepped.advance(5 * MINUTE);
    // 0.45 × 3415.25 dollars, less 0.65 percent and the network fee.
    expect(await read(id)).toMatchObject({
      amountExpectedFrom: '0.5',
      amountExpectedTo,
      amountFrom: '0.45',
      amountTo: '1526.722893',
      totalFee: '9.989607',
    });
  });

  it('a status that goes back hides again what came after it', async () => {
    const { id } = await create('backward-status');
    const views = await watch(id);
    expect(views.map(({ payinHash }) => payinHash !== null)).toEqual([false, true, true, true, false, true]);
  });

  it('goes as much faster as is set', async () => {
    const fast = await steppedDouble({ speed: 60 });
    const { id } = await fast.result('createTransaction', order('happy'));
    fast.advance(5);
    const [finished] = await fast.result('getTransactions', { id });
    expect(finished).toMatchObject({ status: 'finished', moneySent: (START + 5_000) * 1_000 });
    await fast.double.close();
  });
});

describe('the scenario of an order', () => {
  const scenarioOf = async (params: object): Promise<string> => {
    const { id } = await stepped.result('createTransaction', { ...order('happy'), ...params });
    stepped.advance(3 * MINUTE);
    return stepped.result('getStatus', { id });
  };

  it('is named by userMetadata, else by the millionths of the amount, else by the option', async () => {
    expect(await scenarioOf({ amountFrom: '1.000007', userMetadata: null })).toBe('failed');
    expect(await scenarioOf({ amountFrom: '1.00000700', userMetadata: 'no JSON' })).toBe('failed');
    expect(await scenarioOf({ amountFrom: '1.000007', userMetadata: '{"scenario":"happy"}' })).toBe(
      'exchanging',
    );
    expect(await scenarioOf({ amountFrom: '1.0000071', userMetadata: null })).toBe('exchanging');
    expect(await scenarioOf({ amountFrom: '1.100007', userMetadata: null })).toBe('exchanging');
    expect(await scenarioOf({ amountFrom: '1.000099', userMetadata: '{"scenario":"toString"}' })).toBe(
      'exchanging',
    );
    const unpaid = await steppedDouble({ scenario: 'unpaid' });
    const { id } = await unpaid.result('createTransaction', { ...order('happy'), userMetadata: null });
    unpaid.advance(36 * 60 * MINUTE);
    expect(await unpaid.result('getStatus', { id })).toBe('overdue');
    await unpaid.double.close();
  });
});

it('two orders can have the same id', async () => {
  const first = await create('happy');
  stepped.advance(1);
  const second = await create('duplicate-id');
  expect(second.id).toBe(first.id);
  expect(second.payinAddress).not.toBe(first.payinAddress);
  const both = await stepped.result('getTransactions', { id: first.id });
  expect(both.map(({ payinAddress }) => payinAddress)).toEqual([second.payinAddress, first.payinAddress]);
});

it('the README lists every scenario with its code', () => {
  const readme = readFileSync(join(__dirname, 'README.md'), 'utf8');
  for (const [name, { code, description }] of Object.entries<Scenario>(SCENARIOS))
    expect(readme).toMatch(
      new RegExp(`\\| ${code} +\\| \`${name}\` +\\| ${description.replace(/[()]/g, '\\$&')} +\\|`),
    );
});
