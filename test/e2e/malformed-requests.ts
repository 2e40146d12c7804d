import type { z } from 'zod';
import type { Example } from './examples';

export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: unknown;
}

type Path = readonly (string | number)[];

/** The path of every field in the schema, whether or not the example has it. */
export function fieldPathsOf(schema: Schema, example: unknown, path: Path = []): Path[] {
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) {
    const matching = alternatives.filter(each => describes(each, example));
    return unique(matching.flatMap(each => fieldPathsOf(each, example, path)));
  }
  const children: [string | number, Schema][] = schema.items
    ? [[0, schema.items]]
    : Object.entries(schema.properties ?? {});
  const values = (example ?? {}) as Record<string | number, unknown>;
  return [
    ...(path.length > 0 ? [path] : []),
    ...children.flatMap(([key, child]) => fieldPathsOf(child, values[key], [...path, key])),
  ];
}

/** False for an alternative of a union whose discriminator differs from that of the example. */
const describes = ({ properties = {} }: Schema, example: unknown): boolean =>
  Object.entries(properties).every(
    ([name, { const: constant }]) =>
      constant === undefined || (example as Record<string, unknown> | undefined)?.[name] === constant,
  );

const unique = (paths: Path[]): Path[] => [...new Map(paths.map(path => [path.join('/'), path])).values()];

/** The body with another value at one path. */
export function withValue(body: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(body)) return body.map((each, i) => (i === step ? withValue(each, rest, value) : each));
  const object = (body ?? {}) as Record<string, unknown>;
  return { ...object, [step]: withValue(object[step], rest, value) };
}

/** Malicious values and common mistakes. */
export const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e308,
  '',
  ' ',
  'nonsense',
  '\u0000',
  '\ud800',
  'x'.repeat(5_000),
  '2026-02-30',
  '2026-13',
  '0000-00-00',
  '1e3',
  '../../etc/passwd',
  "' OR 1=1 --",
  [],
  [null],
  {},
  { $ne: null },
  { $gt: '' },
  { toString: 'x' },
];

const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

/** Bodies that every endpoint refuses. */
export const WRONG_BODIES: readonly (readonly [
  name: string,
  body: string | Buffer,
  statuses: readonly number[],
])[] = [
  ['truncated JSON', '{"action":', [400]],
  ['not JSON', '<xml/>', [400]],
  ['a text that is not UTF-8', Buffer.from('{"a":"Caf\xe9"}', 'latin1'), [400]],
  ['a member twice', '{"a":1,"a":1}', [400]],
  ['null', 'null', [400]],
  ['a number', '42', [400]],
  ['a string', '"text"', [400]],
  ['an array', '[]', [400]],
  ['an array of objects', '[{"action":"get_revenue"}]', [400]],
  [
    'a query operator',
    '{"$where":"sleep(1000)","address":{"$ne":null},"network":{"$ne":null},"action":{"$ne":null}}',
    [400],
  ],
  ['a prototype', '{"__proto__":{"isAdmin":true}}', [400]],
  ['a constructor', '{"constructor":{"prototype":{"isAdmin":true}}}', [400]],
  ['deeply nested', nested(40), [400]],
  // Too large for some endpoints.
  ['very deeply nested', nested(9_000), [400, 413]],
  ['too large', `{"a":"${'x'.repeat(3 * 1024 * 1024)}"}`, [413]],
];

const ENCODED_WRONG = ['%00', '%E0%A4%A', '..%2F..%2Fetc', '%7B%22%24ne%22%3Anull%7D', 'x'.repeat(2_000)];

const WRONG_UINT32 = [
  '-1',
  '1.5',
  '1e3',
  '0x10',
  '01',
  'abc',
  '4294967296',
  '9'.repeat(30),
  ...ENCODED_WRONG,
];

const WRONG_ADDRESSES = [
  'nobody',
  '0:12',
  `2:${'g'.repeat(64)}`,
  // Wrong checksum.
  'EQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHAAAA',
  // An address of the other chain.
  'So11111111111111111111111111111111111111112',
  '__proto__',
  ...ENCODED_WRONG,
];

/** By name; of others, what their schemas refuse. */
const WRONG_PATH_VALUES: Readonly<Record<string, readonly string[]>> = {
  network: ['betanet', 'MAINNET', 'null', '__proto__', 'constructor', '0', ...ENCODED_WRONG],
  address: WRONG_ADDRESSES,
  seqno: WRONG_UINT32,
  utime: WRONG_UINT32,
  lt: ['-1', '1.5', '1e3', 'abc', '9'.repeat(21), ...ENCODED_WRONG],
  hash: ['abc', 'zz'.repeat(32), 'ab'.repeat(31), ...ENCODED_WRONG],
  ids: ['abc', '1,', ',1', '1.5', '2147483648', Array(65).fill(1).join(','), ...ENCODED_WRONG],
  method: ['get%20seqno', 'a%2Fb', 'x'.repeat(129), ...ENCODED_WRONG],
  args: ['abc', 'AAAA', 'te6ccgEBAQEABQAABgAAA', ...ENCODED_WRONG],
  // What is no key is a session that nobody knows.
  session: ['x'.repeat(129), '%E0%A4%A', 'x'.repeat(2_000)],
  appk: ['abc', 'A'.repeat(42), `${'A'.repeat(42)}B`, 'A'.repeat(44), ...ENCODED_WRONG],
  pubkey: ['abc', 'a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64), `0x${'a'.repeat(62)}`, ...ENCODED_WRONG],
  walletAddress: WRONG_ADDRESSES,
  master: WRONG_ADDRESSES,
  owner: WRONG_ADDRESSES,
  key: WRONG_ADDRESSES,
  orderId: ['first', '0', 'g'.repeat(36), '__proto__', ...ENCODED_WRONG],
  id: ['first', '-1', '1.5', '1e9', '0x1', '9'.repeat(40), '__proto__', ...ENCODED_WRONG],
};

const KEY = 'a'.repeat(64);

/** As of the path. */
const WRONG_QUERIES: Readonly<Record<string, readonly string[]>> = {
  limit: ['limit=0', 'limit=101', 'limit=-1', 'limit=1.5', 'limit=ten', 'limit=1&limit=2'],
  lt: ['lt=abc', 'lt=-1', 'lt=1e3', 'lt=', `lt=${'9'.repeat(40)}`, 'lt=1&lt=2'],
  cursor: [
    'cursor=abc',
    'cursor=-1',
    'cursor=1_2',
    'cursor=',
    `cursor=${'9'.repeat(40)}`,
    'cursor=1&cursor=2',
  ],
  since: ['since=yesterday', 'since=1767225600', 'since=2026-13-01T00:00:00Z', 'since=', 'since=1&since=2'],
  count: ['count=0', 'count=101', 'count=-1', 'count=1.5', 'count=', 'count=1&count=2'],
  hash: ['hash=zz', `hash=${'ab'.repeat(31)}`, 'hash='],
  address: ['address=nobody', 'address=', 'address=0:12', `address=${'x'.repeat(200)}`],
  first: ['first=0', 'first=101', 'first=-1', 'first=1.5', 'first=ten', 'first=', 'first=1&first=2'],
  after: [
    'after=abc',
    'after=1',
    'after=1_0:ab',
    `after=-1_0:${'0'.repeat(64)}`,
    `after=1_0:${'g'.repeat(64)}`,
  ],
  lastUpdated: [
    'lastUpdated=-1',
    'lastUpdated=x',
    'lastUpdated=1e3',
    'lastUpdated=',
    'lastUpdated=1&lastUpdated=2',
  ],
  isTestnet: ['isTestnet=yes', 'isTestnet=1', 'isTestnet=', 'isTestnet=true&isTestnet=false'],
  seqno: ['seqno=-1', 'seqno=1.5', 'seqno=ten', `seqno=${'9'.repeat(40)}`, 'seqno=1&seqno=2'],
  customPayloadApiUri: [
    `customPayloadApiUri=${'x'.repeat(2_000)}`,
    'customPayloadApiUri=1&customPayloadApiUri=2',
  ],
  version: ['version=2.x', 'version=', 'version=latest', 'version=1&version=1'],
  network: ['network=sandbox', 'network=devnet', 'network=', 'network=mainnet&network=testnet'],
  client_id: [
    'client_id=',
    'client_id=abc',
    `client_id=${'g'.repeat(64)}`,
    `client_id=${KEY},`,
    `client_id=${KEY}&client_id=${KEY}`,
  ],
  to: ['to=', 'to=abc', `to=${'g'.repeat(64)}`, `to=${KEY},${KEY}`, `to=${KEY}&to=${KEY}`],
  ttl: ['ttl=0', 'ttl=-1', 'ttl=301', 'ttl=1.5', 'ttl=1e2', 'ttl=', `ttl=${'9'.repeat(40)}`, 'ttl=1&ttl=2'],
  last_event_id: ['last_event_id=-1', 'last_event_id=x', 'last_event_id=', `last_event_id=${'9'.repeat(40)}`],
  heartbeat: ['heartbeat=loud', 'heartbeat=', 'heartbeat=legacy&heartbeat=message'],
  enable_queue_done_event: ['enable_queue_done_event=true&enable_queue_done_event=true'],
  no_request_source: ['no_request_source=true&no_request_source=true'],
  topic: ['topic=a&topic=b'],
  trace_id: ['trace_id=a&trace_id=b'],
  url: ['url=nonsense', 'url=', 'url=ftp://app.example.com', 'url=https://a&url=https://b'],
  digest: ['digest=', 'digest=0f', `digest=${'g'.repeat(32)}`, `digest=${KEY}`, 'digest=0f&digest=0f'],
  buildNumber: ['buildNumber=', 'buildNumber=a%20b', `buildNumber=${'x'.repeat(33)}`],
  platform: ['platform=', 'platform=windows', 'platform=ios&platform=android'],
  language: ['language=', 'language=e', 'language=%00', 'language=en&language=de'],
  currencyTo: ['currencyTo=', 'currencyTo=btc', 'currencyTo=TON', 'currencyTo=ton&currencyTo=sol'],
  fromDefault: ['fromDefault=', 'fromDefault=a%20b', 'fromDefault=%26v%3D1', `fromDefault=${'x'.repeat(40)}`],
  toDefault: ['toDefault=', 'toDefault=a%20b', 'toDefault=ton&toDefault=ton'],
  amount: ['amount=', 'amount=0', 'amount=-1', 'amount=1e3', 'amount=ten', `amount=${'9'.repeat(40)}`],
  v: ['v=', 'v=x', 'v=1.5', 'v=-1', 'v=1&v=2'],
  bounceable: ['bounceable=', 'bounceable=yes', 'bounceable=true&bounceable=false'],
  utm_source: ['utm_source=', 'utm_source=a%26b', `utm_source=${'x'.repeat(65)}`],
  utm_content: ['utm_content=', 'utm_content=a%20b'],
  ref: ['ref=', 'ref=%3Cscript%3E', 'ref=a&ref=b'],
  lang: ['lang=', 'lang=e', 'lang=en_US', 'lang=%3Cscript%3E', `lang=${'x'.repeat(40)}`],
  currency: ['currency=', 'currency=usd', 'currency=US', 'currency=%24', 'currency=USD&currency=EUR'],
  token: [
    'token=',
    'token=x',
    'token=%24ne',
    'token=0:12',
    `token=${'x'.repeat(200)}`,
    'token=ton&token=sol',
  ],
  period: ['period=', 'period=2d', 'period=30', 'period=1d&period=7d'],
  themeStyle: ['themeStyle=', 'themeStyle=blue', 'themeStyle=DARK'],
  pushNotifications: ['pushNotifications=', 'pushNotifications=1', 'pushNotifications=yes'],
  type: ['type=', 'type=disconnect', 'type=pending', 'type=all', 'type=connect&type=connect'],
};

const NUMBERS = ['-1', '1.5', '1e3', '0x10', '9'.repeat(30)];
const TEXTS = [
  'null',
  'nonsense',
  '__proto__',
  '../../etc',
  '{"$ne":null}',
  "' OR 1=1 --",
  ' ',
  '\u0000',
  'x'.repeat(2_000),
];

/**
 * What the schema of a parameter refuses of the usual wrong values, as it is in a URL.
 * @throws Error when it refuses none of them
 */
function refusedOf(
  schema: z.ZodType | undefined,
  name: string,
  others: object | undefined,
): readonly string[] {
  const isRefused = (text: string): boolean => {
    const issues = schema!.safeParse({ ...others, [name]: text }).error?.issues ?? [];
    return issues.some(({ path }) => path[0] === name);
  };
  const refused = [...NUMBERS, ...TEXTS].filter(isRefused).map(encodeURIComponent);
  if (refused.length === 0) throw new Error(`the parameter ${name} accepts whatever it is given`);
  return refused;
}

/** Wrong values of a parameter of the path. */
export function wrongPathValuesOf({ endpoint, params }: Example, name: string): readonly string[] {
  return WRONG_PATH_VALUES[name] ?? refusedOf(endpoint.params, name, params);
}

/** Queries in which a parameter is wrong. */
export function wrongQueriesOf({ endpoint, query }: Example, name: string): readonly string[] {
  return WRONG_QUERIES[name] ?? refusedOf(endpoint.query, name, query).map(value => `${name}=${value}`);
}

/** The path with its parameters filled in, some of them replaced. */
export function pathOf(
  { path, params = {} }: Pick<Example, 'path' | 'params'>,
  replaced: Record<string, string> = {},
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => replaced[name] ?? encodeURIComponent(params[name]!));
}
