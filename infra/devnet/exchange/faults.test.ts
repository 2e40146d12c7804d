import { PAYOUT, steppedDouble, type SteppedDouble } from '../../../test/devnet/changelly';
import { FAULTS, type Fault } from './faults';
import { SCENARIOS, type Scenario } from './scenarios';

const HUGE = 3_000_000;
let stepped: SteppedDouble;

beforeEach(async () => {
  stepped = await steppedDouble({ hugeBytes: HUGE, slowMs: 1 });
});
afterEach(() => stepped.double.close());

const order = { from: 'ltc', to: 'ton', address: PAYOUT };
/** What the client sees: a status and the text, or no answer. */
const seen = async (params: object) => {
  try {
    const { status, text } = await stepped.call('createTransaction', params);
    return { status, text: text.length > 10_000 ? `${text.length} characters` : text };
  } catch {
    return 'dropped';
  }
};

const ANSWERS: Record<Fault, unknown> = {
  'commit-then-drop': 'dropped',
  'drop-before-commit': 'dropped',
  'commit-then-502': { status: 502, text: expect.stringContaining('<html>') },
  'http-502': { status: 502, text: expect.stringContaining('<html>') },
  'http-429': { status: 429, text: 'Too Many Requests' },
  'requests-limit': {
    status: 200,
    text: expect.stringContaining('"code":-32600,"message":"Error: You reached requests limit'),
  },
  'internal-error': {
    status: 200,
    text: expect.stringContaining('"code":-32603,"message":"Internal Error"'),
  },
  html: { status: 200, text: expect.stringContaining('<html>') },
  'wrong-id': { status: 200, text: expect.stringMatching(/"id":"test0","result":{.*"payinAddress"/) },
  truncated: { status: 200, text: expect.stringMatching(/^{"jsonrpc":"2.0","id":"test","result":{.*[^}]$/) },
  huge: { status: 200, text: `${HUGE + 41} characters` },
  slow: { status: 200, text: expect.stringMatching(/"id":"test","result":{.*"payinAddress"/) },
};

const byFault = Object.values<Scenario>(SCENARIOS).flatMap(({ fault, code }) =>
  fault ? [[fault, code] as const] : [],
);

it.each(byFault)(
  '%s: the first call of an order fails so, and the second creates one',
  async (fault, code) => {
    const params = { ...order, amountFrom: `1.0000${code}` };
    expect(await seen(params)).toEqual(ANSWERS[fault]);
    const commits = FAULTS[fault];
    expect(stepped.double.orders()).toHaveLength(commits ? 1 : 0);

    await stepped.result('createTransaction', params);
    expect(stepped.double.orders()).toHaveLength(commits ? 2 : 1);
    stepped.advance(300);
    expect(stepped.double.orders().map(({ status }) => status)).toEqual(
      commits ? ['finished', 'finished'] : ['finished'],
    );
  },
);

it('every fault has a scenario', () => {
  expect(byFault.map(([fault]) => fault).toSorted()).toEqual(Object.keys(FAULTS).toSorted());
});

it('an order that was created without an answer is found by its payout address and the time', async () => {
  const { double, advance } = stepped;
  await stepped.result('createTransaction', { ...order, amountFrom: '2' });
  advance(10);
  expect(await seen({ ...order, amountFrom: '1.000021' })).toBe('dropped');
  const [committed] = double.orders().slice(1);
  const found = await stepped.result('getTransactions', {
    payoutAddress: PAYOUT,
    currency: 'ltc',
    since: committed!.createdAt,
  });
  expect(found).toEqual([committed]);
});

it('any method can be made to fail, for a number of calls', async () => {
  const { double } = stepped;
  double.failNext('http-502', { method: 'getTransactions', times: 2 });
  double.failNext('html');
  expect((await stepped.call('getPairs', {})).text).toContain('<html>');
  expect((await stepped.call('getTransactions', {})).status).toBe(502);
  expect((await stepped.call('getPairs', {})).json.result).toBeDefined();
  expect((await stepped.call('getTransactions', {})).status).toBe(502);
  expect((await stepped.call('getTransactions', {})).json.result).toEqual([]);
});

it('a slow answer does not hold up the end of the program', async () => {
  const slow = await steppedDouble({ slowMs: 3_600_000 });
  slow.double.failNext('slow');
  const call = slow.call('getPairs', {}).catch(() => 'dropped');
  while (slow.double.calls().size === 0) await new Promise(setImmediate);
  await slow.double.close();
  expect(await call).toBe('dropped');
});
