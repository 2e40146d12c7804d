import fc from 'fast-check';
import type { Direction, Document, IndexSpec, Query, Scalar } from '../../../contracts/ports/documents';

/** The definition of `find`, over a list, with which adapters are compared. */

type Fields = Document & { text: Scalar; number: Scalar; kind: Scalar; nested: { flag: Scalar } };

const value = (document: Document, field: string): Scalar => {
  const { text, number, kind, nested } = document as Fields;
  const fields: Record<string, Scalar> = {
    _id: document._id,
    text,
    number,
    kind,
    'nested.flag': nested.flag,
  };
  return fields[field] ?? null;
};

const compare = (a: Scalar, b: Scalar): number => {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return typeof a === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
    : Number(a) - Number(b);
};

const matches = (document: Document, filter: Query['filter'] = {}): boolean =>
  Object.entries(filter).every(([field, condition]) => {
    const actual = value(document, field);
    if (condition === null || typeof condition !== 'object') return actual === condition;
    if ('in' in condition) return condition.in.includes(actual);
    const { gt, gte, lt, lte } = condition;
    return (
      actual !== null &&
      (gt === undefined || compare(actual, gt) > 0) &&
      (gte === undefined || compare(actual, gte) >= 0) &&
      (lt === undefined || compare(actual, lt) < 0) &&
      (lte === undefined || compare(actual, lte) <= 0)
    );
  });

export function answer(documents: readonly Document[], { filter, order = [] }: Query): Document[] {
  const terms = [...order, ['_id', order.at(-1)?.[1] ?? 'asc'] as const];
  return documents
    .filter(document => matches(document, filter))
    .sort((a, b) => {
      for (const [field, direction] of terms) {
        const sign = compare(value(a, field), value(b, field)) * (direction === 'asc' ? 1 : -1);
        if (sign !== 0) return sign;
      }
      return 0;
    });
}

export const INDEXES: readonly IndexSpec[] = [
  { fields: [['text', 'asc']] },
  { fields: [['number', 'desc']] },
  {
    fields: [
      ['kind', 'asc'],
      ['number', 'desc'],
    ],
  },
  {
    fields: [
      ['kind', 'asc'],
      ['text', 'desc'],
      ['number', 'asc'],
    ],
  },
  {
    fields: [
      ['nested.flag', 'asc'],
      ['kind', 'asc'],
      ['text', 'asc'],
    ],
  },
  {
    fields: [
      ['text', 'desc'],
      ['_id', 'asc'],
    ],
  },
];

/** Up to U+FFFF, UTF-8 bytes and UTF-16 units order strings equally. */
export type Strings = 'any' | 'basic plane';

const isBasic = (text: string): boolean => !/[\ud800-\udfff]/.test(text);

const arbitraryText = (strings: Strings) =>
  fc
    .oneof(
      fc.constantFrom('', 'a', 'b', 'ä', '\0', '\x01', 'a\0b', '\uffff', '😀'),
      fc.string({ unit: 'binary' }),
    )
    .filter(text => strings === 'any' || isBasic(text));
const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter(n => !Number.isInteger(n)),
);
const kind = fc.constantFrom('fee', 'tip', 'x"\'y');

export function documentsOf(strings: Strings) {
  return fc.uniqueArray(
    fc.record({
      _id: fc.oneof(
        arbitraryText(strings).filter(text => text !== ''),
        fc.uuid(),
      ),
      text: fc.option(arbitraryText(strings)),
      number: fc.option(number),
      kind: fc.option(kind),
      nested: fc.record({ flag: fc.option(fc.boolean()) }),
    }),
    { selector: ({ _id }) => _id, maxLength: 30 },
  );
}

export const arbitraryDocuments = documentsOf('any');

/** Random numbers from which a query is derived once the documents are generated. */
export const arbitraryDice = fc.infiniteStream(fc.nat({ max: 1_000 }));

const flipped = (direction: Direction): Direction => (direction === 'asc' ? 'desc' : 'asc');

/** A query that one of `INDEXES` answers, with values of the documents. */
export function queryFrom(documents: readonly Document[], dice: Iterator<number>): Omit<Query, 'limit'> {
  const roll = (sides: number): number => (dice.next().value as number) % sides;
  const pick = (field: string): Scalar =>
    documents.length === 0 ? null : value(documents[roll(documents.length)]!, field);
  const { fields } = INDEXES[roll(INDEXES.length)]!;
  const fixed = fields.slice(0, roll(fields.length + 1)).filter(([field]) => field !== '_id');
  const rest = fields.slice(fixed.length);
  const back = roll(2) === 1;

  const filter: Record<string, NonNullable<Query['filter']>[string]> = {};
  for (const [field] of fixed)
    filter[field] = roll(2) === 0 ? pick(field) : { in: Array.from({ length: roll(4) }, () => pick(field)) };
  const ranged = rest[0]?.[0];
  if (ranged && roll(2) === 0) {
    const [low, high] = [pick(ranged), pick(ranged)];
    const isBound = (bound: Scalar): boolean => typeof bound === 'string' || typeof bound === 'number';
    const range = {
      ...(isBound(low) && { [roll(2) === 0 ? 'gt' : 'gte']: low }),
      ...(isBound(high) && roll(2) === 0 && { [roll(2) === 0 ? 'lt' : 'lte']: high }),
    };
    if (Object.keys(range).length > 0) filter[ranged] = range;
  }
  const ordered = rest.map(([field, direction]) => [field, back ? flipped(direction) : direction] as const);
  const merged = fixed
    .filter(() => roll(3) === 0)
    .map(([field]) => [field, roll(2) === 0 ? 'asc' : 'desc'] as const);
  return { filter, order: [...merged, ...ordered] };
}
