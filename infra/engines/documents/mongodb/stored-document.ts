import { Binary } from 'mongodb';
import type { Document, IndexSpec } from '../../../../contracts/ports/documents';
import { orderOf, type OrderTerm } from '../query-plan';

/** A document as MongoDB stores it: with the same fields, where BSON has them. */
export type StoredDocument = { readonly _id: string } & Readonly<Record<string, unknown>>;

/** Collections of the adapter itself; the names of declared collections cannot start with an underscore. */
export const CATALOG = '_catalog';
export const CHECKPOINTS = '_checkpoints';
export const COUNTERS = '_counters';
/** What is written only to see whether the server does what it should. */
export const CHECKS = '_opening_check';

/** What the name of a field of BSON cannot contain, or MongoDB reads as an operator or a path. Fields of indexes have none. */
const ESCAPED_IN_NAMES = /[%.\0\p{Cs}]|^\$/gu;

const escapedName = (name: string): string =>
  name.replace(ESCAPED_IN_NAMES, found => `%${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

const nameOf = (escaped: string): string =>
  escaped.replace(/%([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

const LONE_SURROGATE = /\p{Cs}/u;

/** A text with a lone surrogate has no UTF-8 encoding. */
const storedScalar = (value: unknown): unknown =>
  typeof value === 'string' && LONE_SURROGATE.test(value) ? new Binary(Buffer.from(value, 'utf16le')) : value;

const scalarOf = (stored: unknown): unknown =>
  stored instanceof Binary ? Buffer.from(stored.buffer).toString('utf16le') : stored;

/** The value, or a copy where something in it is replaced. */
const mapped = (
  value: unknown,
  scalar: (value: unknown) => unknown,
  name: (name: string) => string,
): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Binary) return scalar(value);
  if (Array.isArray(value)) {
    const items = value.map(item => mapped(item, scalar, name));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  let changed = false;
  const entries = Object.entries(value).map(([key, field]): [string, unknown] => {
    const entry: [string, unknown] = [name(key), mapped(field, scalar, name)];
    changed ||= entry[0] !== key || entry[1] !== field;
    return entry;
  });
  return changed ? Object.fromEntries(entries) : value;
};

export function toStored(document: Document): StoredDocument {
  return mapped(document, storedScalar, escapedName) as StoredDocument;
}

export function fromStored<D extends Document>(stored: StoredDocument): D {
  return mapped(stored, scalarOf, nameOf) as D;
}

export function sortKeys(order: readonly OrderTerm[]): Record<string, 1 | -1> {
  return Object.fromEntries(order.map(([field, direction]) => [field, direction === 'asc' ? 1 : -1]));
}

export function indexKeys(spec: IndexSpec | null): Record<string, 1 | -1> {
  return spec ? sortKeys(orderOf(spec)) : { _id: 1 };
}
