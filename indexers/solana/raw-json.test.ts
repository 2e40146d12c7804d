import fc from 'fast-check';
import { readJson } from '../../contracts/json/read-json';
import { runs } from '../../test/random';
import type { RawTransaction } from './raw';
import { parseBlockResponse, transactionJson } from './raw-json';

interface Response {
  readonly result: { readonly transactions: Iterable<RawTransaction> };
}

/** What is read of an answer: the whole, and the JSON of its transactions, all without logs. */
function read(text: string) {
  return observed(
    parseBlockResponse(text) as Response,
    raw => readJson(transactionJson(raw)) as RawTransaction,
  );
}

/** The same, of the whole text at once. */
function expected(text: string): ReturnType<typeof read> {
  return observed(readJson(text) as Response, withoutLogs);
}

function observed({ result, ...response }: Response, jsonOf: (raw: RawTransaction) => RawTransaction) {
  const transactions: RawTransaction[] = [];
  const json: RawTransaction[] = [];
  for (const raw of result.transactions) {
    transactions.push(withoutLogs(raw));
    if (hasMeta(raw)) json.push(jsonOf(raw));
  }
  return { response: { ...response, result: { ...result, transactions } }, json };
}

const hasMeta = (raw: RawTransaction | null): boolean =>
  typeof raw?.meta === 'object' && raw.meta !== null && !Array.isArray(raw.meta);

function withoutLogs(raw: RawTransaction): RawTransaction {
  if (!hasMeta(raw)) return raw;
  const { logMessages: _, ...meta } = raw.meta!;
  return { ...raw, meta };
}

const orError = <T>(call: () => T): T | string => {
  try {
    return call();
  } catch (error) {
    return String(error);
  }
};

/** Text that looks like the ends of transactions, of logs and of strings. */
const text = fc.oneof(
  fc.constantFrom(
    '},{"meta":',
    '"},{',
    ']}',
    '\\',
    '"',
    ',"logMessages":["x"]',
    ',"transactions":[',
    '\ud800',
    '🔑',
  ),
  fc.string({ unit: 'binary' }),
);
const json = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'json' },
    text,
    fc.constantFrom(null, true, 0, -1.5, 1e300, 2 ** 64),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('meta', 'logMessages', 'transactions', 'err'), text),
      tie('value'),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  ),
})).value;

const logs = fc.oneof(
  { weight: 4, arbitrary: fc.array(text, { maxLength: 4 }) },
  { weight: 1, arbitrary: json },
);
const shuffled = (members: object): fc.Arbitrary<object> =>
  fc
    .shuffledSubarray(Object.entries(members), { minLength: Object.keys(members).length })
    .map(Object.fromEntries);
const meta = fc
  .record({ err: json, fee: json, logMessages: logs, rest: json }, { requiredKeys: ['err'] })
  .chain(shuffled);
const transaction = fc.oneof(
  { weight: 9, arbitrary: fc.record({ meta, transaction: json, version: json }) },
  { weight: 1, arbitrary: fc.record({ meta, transaction: json, version: json }).chain(shuffled) },
  { weight: 1, arbitrary: json },
);
const block = fc.record({
  jsonrpc: fc.constant('2.0'),
  result: fc.record({
    blockhash: text,
    blockTime: json,
    transactions: fc.array(transaction, { maxLength: 6 }),
    previousBlockhash: text,
    parentSlot: json,
  }),
  id: fc.constant(1),
});

test('a block is read as ECMAScript reads it, whatever its transactions contain', () => {
  fc.assert(
    fc.property(block, fc.constantFrom(undefined, 1), (value, indent) => {
      const printed = JSON.stringify(value, null, indent);
      expect(read(printed)).toEqual(expected(printed));
    }),
    runs(500),
  );
});

test('what JSON.parse refuses is refused with the same error, wherever it is malformed', () => {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(3),
    by: fc.constantFrom('', ',', '"', '}', '[', 'x', '\\'),
  });
  fc.assert(
    fc.property(block, edit, (value, { at, length, by }) => {
      const printed = JSON.stringify(value);
      const index = Math.floor(at * printed.length);
      const edited = printed.slice(0, index) + by + printed.slice(index + length);
      expect(orError(() => read(edited))).toEqual(orError(() => expected(edited)));
    }),
    runs(1_500),
  );
});

const answerOf = (...transactions: readonly string[]): string =>
  `{"jsonrpc":"2.0","result":{"blockhash":"b","blockTime":1,"transactions":[${transactions.join()}],"parentSlot":1,"previousBlockhash":"a"},"id":1}`;

test('nothing is lost that stands after the list and looks like it', () => {
  const answer =
    '{"jsonrpc":"2.0","result":{"blockhash":"","transactions":[{"meta":{"err":[]}}],"parentSlot":[{},{"meta":null}],' +
    '"blockTime":null,"previousBlockhash":""},"id":1}';
  expect(read(answer)).toEqual(expected(answer));
});

test('the JSON of a transaction is what the node printed, but for its logs', () => {
  const printed = (slot: string, logs: string): string =>
    `{"meta":{"err":null,"fee":18446744073709551615${logs},"rewards":[]},"transaction":{"at":${slot}},"version":0}`;
  const answer = answerOf(
    printed('1.0', ',"logMessages":["a \\"]}\\\\",""]'),
    printed('1e2', ',"logMessages":[]'),
    printed('3', ''),
  );
  const { result } = parseBlockResponse(answer) as Response;
  const [first, second] = Array.from(result.transactions, transactionJson);
  expect([first, second]).toEqual([printed('1.0', ''), printed('1e2', '')]);
});

test.each([
  ['among its fields', '{"meta":{"fee":}}'],
  ['before its logs', '{"meta":{,"logMessages":["a"]}}'],
  ['in its logs', '{"meta":{"fee":2,"logMessages":["a\\x"]}}'],
])('a transaction that is malformed %s fails when it is read', (_, malformed) => {
  const answer = answerOf('{"meta":{"fee":1}}', malformed, '{"meta":{"fee":3}}');
  const fees: unknown[] = [];
  const { result } = parseBlockResponse(answer) as Response;
  expect(() => {
    for (const { meta } of result.transactions) fees.push(meta?.fee);
  }).toThrow(SyntaxError);
  expect(fees).toEqual([1]);
});

test('logs of many megabytes are left out', () => {
  const meta = (logs: string): string => `{"meta":{"err":null${logs}},"version":0}`;
  const answer = answerOf(meta(`,"logMessages":["${'\\n'.repeat(15_000_000)}"]`), meta(''));
  const { result } = parseBlockResponse(answer) as Response;
  expect(Array.from(result.transactions, transactionJson)).toEqual([meta(''), meta('')]);
});
