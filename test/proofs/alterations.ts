import { canonicalJson } from '../../contracts/json/canonical-json';
import type { Json } from '../../contracts/json/json';

/** The bytes of a file, altered. */
export type Alteration = (bytes: Buffer) => Buffer;

export interface Alterations {
  /** A whole number from 0 to before the limit. */
  below(limit: number): number;
  oneOf<T>(values: readonly T[]): T;
  /** Of any file. */
  readonly bytes: readonly Alteration[];
  /** Leaves out, repeats, moves or swaps lines. */
  readonly lines: Alteration;
  /** Replaces, removes, renames or adds a member somewhere in a JSON value. */
  readonly values: Alteration;
  /** Puts a JSON value, or one in it, into another one or another form. */
  readonly forms: Alteration;
}

const TOKENS = [
  '1e999',
  '-0',
  '15.0000000000000000001',
  'null',
  '{}',
  '[]',
  '"a":1,',
  ',',
  '\\u0000',
  '"',
  '\n',
  '[[[[',
];

/** Names that mean something in one of the files, or to a program. */
const NAMES = ['checkpoint', 'proof', 'keys', 'events', 'value', '', '__proto__', 'constructor', 'toString'];

const splice = (bytes: Buffer, at: number, removed: number, inserted: string | Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted as string), bytes.subarray(at + removed)]);

export function alterationsFrom(random: () => number): Alterations {
  const below = (limit: number): number => Math.floor(random() * limit);
  const oneOf = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const named = (name: string, value: Json): Json =>
    Object.fromEntries([[name, value]]) as Record<string, Json>;
  /** The value in another value, what is in it, and others of its type. */
  const formsOf = (value: Json): readonly Json[] => {
    const around: Json[] = [named(oneOf(NAMES), value), [value], [value, value], [], JSON.stringify(value)];
    if (typeof value === 'number')
      return [...around, value + 1, value - 1, -value, value + 0.5, String(value), 2 ** 53, -1, 2 ** 31];
    if (typeof value === 'string')
      return [
        ...around,
        ...[`${value} `, ` ${value}`, `${value}=`, `${value}\n`, `${value}\u0000`, value.toUpperCase()],
        ...[value.slice(1), value.slice(0, -1), value + value, value.normalize('NFD'), `${value}\u00e9`],
        ...['2026-02-30', '2026-02-30T00:00:00.000Z', '2026-10', 'Mars/Olympus', '-0', '1e3', '٣'],
      ];
    if (value === null || typeof value !== 'object') return [...around, !value, 0, 'true'];
    const inside = Object.values(value);
    const added = Array.isArray(value)
      ? [value.toReversed(), [...value, ...value], value.slice(1), value.slice(0, -1)]
      : [{ ...value, ...(named(oneOf(NAMES), oneOf([null, 0, '', {}, value])) as Record<string, Json>) }];
    return [...around, ...inside.slice(0, 8), ...added, ...added, {}];
  };
  return {
    below,
    oneOf,
    bytes: [
      bytes => {
        const copy = Buffer.from(bytes);
        copy[below(copy.length)]! ^= 1 << below(8);
        return copy;
      },
      bytes => splice(bytes, below(bytes.length), 1 + below(40), ''),
      bytes => splice(bytes, below(bytes.length), 0, oneOf(TOKENS)),
      bytes => splice(bytes, below(bytes.length), 1, String(below(10))),
      bytes => bytes.subarray(0, below(bytes.length)),
      bytes => {
        const [from, at] = [below(bytes.length), below(bytes.length)];
        return splice(bytes, at, 0, bytes.subarray(from, from + 1 + below(200)));
      },
    ],
    lines(bytes) {
      const lines = bytes.toString().split('\n');
      const [line] = lines.splice(below(lines.length), below(3) === 0 ? 0 : 1);
      if (below(2) === 0) lines.splice(below(lines.length), 0, line ?? oneOf(lines));
      return Buffer.from(lines.join('\n'));
    },
    forms(bytes) {
      const root = { value: JSON.parse(bytes.toString()) as Json };
      const places: [holder: Record<string, Json>, name: string][] = [];
      const collect = (holder: Record<string, Json>): void => {
        for (const [name, value] of Object.entries(holder)) {
          places.push([holder, name]);
          if (value !== null && typeof value === 'object') collect(value as Record<string, Json>);
        }
      };
      collect(root);
      const [holder, name] = below(4) === 0 ? places[0]! : oneOf(places);
      holder[name] = oneOf(formsOf(holder[name]!));
      return Buffer.from(JSON.stringify(root.value));
    },
    values(bytes) {
      const value = JSON.parse(bytes.toString()) as Json;
      const objects: Record<string, Json>[] = [];
      const collect = (each: Json): void => {
        if (each === null || typeof each !== 'object') return;
        objects.push(each as Record<string, Json>);
        Object.values(each).forEach(collect);
      };
      collect(value);
      const target = oneOf(objects);
      const names = Object.keys(target);
      const name = oneOf(names.length > 0 ? names : ['new']);
      const other = structuredClone(oneOf(Object.values(oneOf(objects))) ?? null);
      if (below(4) === 0 && !Array.isArray(target)) Reflect.deleteProperty(target, name);
      else
        target[below(4) === 0 && !Array.isArray(target) ? `${name}2` : name] = oneOf<Json>([
          other,
          null,
          {},
          'a',
          0,
          1,
          true,
          [],
        ]);
      return Buffer.from(JSON.stringify(value));
    },
  };
}

/** The canonical form of a JSON text; null when it is none. */
export function canonicalForm(bytes: Buffer): string | null {
  try {
    return canonicalJson(JSON.parse(bytes.toString()) as Json);
  } catch {
    return null;
  }
}
