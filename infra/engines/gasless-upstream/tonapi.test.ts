import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PartnerUnavailable, type PartnerCall } from '../../../contracts/ports/exchange-partner';
import { UpstreamRefused } from '../../../contracts/ports/gasless-upstream';
import { createRequestBudget, type RequestBudget, type SharedBudget } from '../request-budget/budget';
import { collectGarbageSoon } from '../../../test/collect-garbage';
import { createTonapi } from './tonapi';

const POSTED = { publicKey: 'aa', boc: 'bb' };
const ESTIMATE = { wallet: '0:a', publicKey: 'aa', master: '0:b', message: 'cc' };

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
    ...{ paused, taken },
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
