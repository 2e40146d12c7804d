import { HttpError, ResponseTooLarge } from './http-response';
import { createOutageLog, isOutage } from './outage-log';

const withCode = (code: string, message = code) => Object.assign(new Error(message), { code });
const refused = withCode('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1');

test.each([
  ['a refused connection', refused, true],
  ['one that a client has wrapped', new Error('/block/latest: refused', { cause: refused }), true],
  ['a name that does not resolve', withCode('ENOTFOUND'), true],
  ['a time limit of undici', withCode('UND_ERR_HEADERS_TIMEOUT'), true],
  ['a time limit of a signal', new DOMException('the time is over', 'TimeoutError'), true],
  ['a proxy without a server', new HttpError(502), true],
  ['a server that takes no calls now', new HttpError(429), true],
  ['a server with a fault', new HttpError(500), false],
  ['an answer that is too large', new ResponseTooLarge(7), false],
  ['a fault of ours', new TypeError('x is undefined'), false],
  ['what is no error', 'ECONNREFUSED', false],
])('%s is an outage, or not', (_what, error, is) => {
  expect(isOutage(error)).toBe(is);
});

function logged() {
  let now = 0;
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => void lines.push(line);
  const outages = createOutageLog({ warn: log, info: log }, 'solana node', 'url', () => now);
  return { ...outages, lines, pass: (ms: number) => void (now += ms) };
}

test('an outage is one line at its start, with its reason and no stack, and one at its end', () => {
  const { failed, answered, lines, pass } = logged();
  for (let call = 0; call < 3; call++) {
    failed('a', refused);
    pass(4_000);
  }
  answered('a', 7_000);
  expect(lines).toEqual([[{ url: 'a', reason: 'connect ECONNREFUSED 127.0.0.1:1' }, 'solana node failed']]);
  answered('a', 8_000);
  answered('a', 8_000);
  answered('b', 8_000);
  expect(lines.slice(1)).toEqual([[{ url: 'a', failedCalls: 3, seconds: 12 }, 'solana node answers again']]);
});

test('another fault is a line with its stack, once while it is the same, during an outage too', () => {
  const { failed, lines } = logged();
  failed('a', refused);
  for (const fault of ['malformed', 'malformed', 'too short']) failed('a', new Error(fault));
  failed('b', new Error('malformed'));
  const line = (url: string, fault: string) => [{ url, err: new Error(fault) }, 'solana node failed'];
  expect(lines.slice(1)).toEqual([line('a', 'malformed'), line('a', 'too short'), line('b', 'malformed')]);
});
