import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PartnerUnavailable, type PartnerCall } from '../../../contracts/ports/exchange-partner';
import { UpstreamRefused } from '../../../contracts/ports/gasless-upstream';
import { createRequestBudget, type RequestBudget, type SharedBudget } from '../request-budget/budget';
import { collectGarbageSoon } from '../../../test/collect-garbage';
import { until } from '../../../test/until';
import { createTonapi } from './tonapi';

const POSTED = { publicKey: 'aa', boc: 'bb', caller: 'a' };
const ESTIMATE = { wallet: '0:a', publicKey: 'aa', master: '0:b', message: 'cc', caller: 'a' };

let server: Server;
let url: string;
let answer: { readonly status: number; readonly headers?: Record<string, string> };
let calls: number;
const closing: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  [answer, calls] = [{ status: 200 }, 0];
  server = createServer((request, response) => {
    calls += 1;
    request.resume();
    const body = JSON.stringify({ protocol_name: 'gasless', error: 'no' });
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
  server.closeAllConnections();
  server.close();
});

function tonapi(budget: Pick<RequestBudget, 'take' | 'pause'>, timeoutMs?: number) {
  const made = createTonapi({ url, key: undefined, budget, ...(timeoutMs !== undefined && { timeoutMs }) });
  closing.push(made);
  return made;
}

/** A budget of which the test sees what it is asked. */
function budgetOf(take: (call: PartnerCall) => Promise<void> = () => Promise.resolve()) {
  const paused: number[] = [];
  const taken: PartnerCall['priority'][] = [];
  return {
    paused,
    taken,
    take: (call: PartnerCall) => (taken.push(call.priority), take(call)),
    pause: (ms: number) => void paused.push(ms),
  };
}

it('each request is one of the budget, in which sends do not wait for estimates', async () => {
  const budget = budgetOf();
  await tonapi(budget).send(POSTED);
  await expect(tonapi(budget).estimate(ESTIMATE)).rejects.toThrow('cannot be read');
  expect([budget.taken, calls]).toEqual([['order', 'estimate'], 2]);
});

it('what has no place in the budget is refused before it is sent, so that the wallet may sign another', async () => {
  const full = budgetOf(() => Promise.reject(new PartnerUnavailable('too many wait')));
  for (const call of [tonapi(full).send(POSTED), tonapi(full).estimate(ESTIMATE)])
    await expect(call).rejects.toBeInstanceOf(UpstreamRefused);
  expect(calls).toBe(0);
});

it('what waits too long for the budget is refused, also when memory is collected meanwhile', async () => {
  const { take } = createRequestBudget({ perSecond: 1, shared: { take: async () => 60_000 } });
  collectGarbageSoon();
  const sending = tonapi({ take, pause: () => undefined }, 200).send(POSTED);
  await expect(sending).rejects.toBeInstanceOf(UpstreamRefused);
  expect(calls).toBe(0);
});

it('strangers with all that may wait keep neither an estimate nor a transfer of somebody else from being sent', async () => {
  const budget = createRequestBudget({ perSecond: 20, maxWaiting: 5 });
  const adapter = tonapi(budget);
  let isOver = false;
  /** Keeps as many waiting as one address may have at a time. */
  const flood = async (caller: string, call: 'send' | 'estimate'): Promise<void> => {
    while (!isOver) await adapter[call]({ ...POSTED, ...ESTIMATE, caller }).catch(() => sleep(5));
  };
  const floods = (['send', 'estimate'] as const).flatMap(call =>
    ['b', 'c'].flatMap(caller => Array.from({ length: 4 }, () => flood(caller, call))),
  );
  await until(() => calls > 2);
  await adapter.send({ ...POSTED, caller: 'honest' });
  await expect(adapter.estimate({ ...ESTIMATE, caller: 'honest' })).rejects.toThrow('cannot be read');
  isOver = true;
  await Promise.all(floods);
});

it('all who wait for the configuration have the same answer, for which one request is sent', async () => {
  const adapter = tonapi(budgetOf());
  const asked = Array.from({ length: 8 }, () => adapter.config());
  for (const each of asked) await expect(each).rejects.toThrow('cannot be read');
  expect(calls).toBe(1);
  await expect(adapter.config()).rejects.toThrow('cannot be read');
  expect(calls).toBe(2);
});

it.each([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '86400' }, 60_000],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 1_000],
  [{}, 1_000],
])('too many requests pause all that follow: %o', async (headers, ms) => {
  const budget = budgetOf();
  answer = { status: 429, headers };
  await expect(tonapi(budget).send(POSTED)).rejects.toBeInstanceOf(UpstreamRefused);
  expect(budget.paused).toEqual([ms]);
});

it('the adapters of several processes send nothing that their common budget does not admit', async () => {
  let left = 3;
  const shared: SharedBudget = { take: async () => (left > 0 ? ((left -= 1), 0) : 20) };
  const processes = [1, 2].map(() => tonapi(createRequestBudget({ perSecond: 1_000, shared })));
  const sends = [0, 1, 0, 1, 0, 1].map(at => processes[at]!.send(POSTED).then(() => 'sent', String));
  await Promise.race(sends.map((send, at) => (at < 3 ? send : new Promise(() => undefined))));
  for (const each of closing) await each.close();
  const outcomes = await Promise.all(sends);
  expect(outcomes.filter(each => each === 'sent').length).toBeLessThanOrEqual(3);
  expect([calls, left]).toEqual([3, 0]);
});
