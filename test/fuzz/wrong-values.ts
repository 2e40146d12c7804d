import fc from 'fast-check';

/** The part of JSON Schema that the requests of billing use. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

const OBJECTS = fc.constantFrom<unknown>(
  {},
  { $ne: null },
  { $gt: '' },
  { $regex: '.*' },
  { $where: 'sleep(1000)' },
  { $in: ['collected'] },
  { toString: 'x' },
  { valueOf: 1 },
  [],
  [null],
  ['2026-11'],
  [{ $ne: null }],
  [[[[]]]],
);
const NUMBERS = fc.oneof(
  fc.constantFrom<unknown>(0, -1, 1, 1.5, 1e308, -1e308, 5e-324, 2 ** 53, Number.MIN_SAFE_INTEGER),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Text that no field accepts: blank, too long, or not well-formed. */
const MALFORMED_TEXT = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\t',
    '\u00a0',
    '\u0000',
    '\ud800',
    'a\u0000b',
    'a\nb',
    'a\u001b[2Jb',
    '\udfff!',
  ),
  fc.integer({ min: 1_001, max: 5_000 }).map(length => 'x'.repeat(length)),
  fc.string({ maxLength: 40, unit: 'binary' }).map(text => `${text}\u0007`),
);
/** Text that only free-text fields accept: every format forbids its spaces. */
const UNFORMATTED_TEXT = fc.oneof(
  fc.constantFrom<unknown>(
    "' OR 1=1 --",
    '1; DROP TABLE events',
    '../../etc/passwd ',
    '=HYPERLINK("http://x") ',
    '2026-11-20 12:00:00',
    ' 2026-11',
    '2026-11 ',
    '12.50 ',
    '１２ ',
    '<script>alert(1) </script>',
    '${jndi:ldap://x} ',
    '__proto__ ',
  ),
  fc.string({ maxLength: 60 }).map(text => ` ${text}`),
);

const FREE_TEXT = new Set(['reason', 'reference', 'merchant_name', 'actor', 'auditedAction', 'name']);

/** Values that a field does not accept, whatever its format. */
export function wrongFor(name: string, schema: Schema): fc.Arbitrary<unknown> {
  const types = typesOf(schema);
  const wrong = [OBJECTS, fc.constant(null)];
  if (!types.has('boolean')) wrong.push(fc.boolean());
  if (types.has('integer')) wrong.push(NUMBERS.filter(number => !isIntegerOf(schema, number)));
  else wrong.push(NUMBERS);
  if (types.has('integer') && !types.has('string')) wrong.push(fc.nat().map(String));
  wrong.push(MALFORMED_TEXT);
  if (!FREE_TEXT.has(name)) wrong.push(UNFORMATTED_TEXT);
  return fc.oneof(...wrong);
}

const alternativesOf = (schema: Schema): readonly Schema[] => schema.anyOf ?? schema.oneOf ?? [schema];

const typesOf = (schema: Schema): Set<string> =>
  new Set(alternativesOf(schema).map(({ type, const: only }) => type ?? typeof only));

const isIntegerOf = (schema: Schema, value: unknown): boolean =>
  Number.isSafeInteger(value) &&
  alternativesOf(schema).some(
    ({ type, minimum = -Infinity, maximum = Infinity }) =>
      type === 'integer' && (value as number) >= minimum && (value as number) <= maximum,
  );

/** Names of unknown fields, and names that could change a prototype. */
export const UNKNOWN_FIELDS = fc.oneof(
  fc.constantFrom(
    'role',
    '$where',
    '$ne',
    'sub',
    'Action',
    'ACTION',
    'isAdmin',
    'hasOwnProperty',
    'toString',
    'a.b',
    'a/b~c',
  ),
  fc.stringMatching(/^[a-z]{12,20}$/),
);
export const PROTOTYPE_FIELDS = ['__proto__', 'constructor', 'prototype'];
