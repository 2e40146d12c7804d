import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ResponseExamples } from '../../contracts/http/endpoint';
import type { Json } from '../../contracts/json/json';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'contracts', 'http', 'response-examples');
const PRETTIER = require.resolve('prettier/bin/prettier.cjs');

/** Items of a recorded list. */
const MAX_ITEMS = 2;

/** The answer with lists of the first item, and of the first one after it that has other members. */
export function shortened(answer: Json): Json {
  if (Array.isArray(answer)) {
    const [first, ...rest] = answer.map(shortened);
    if (first === undefined) return [];
    const other = rest.find(item => membersOf(item) !== membersOf(first));
    return [first, ...(other === undefined ? rest.slice(0, MAX_ITEMS - 1) : [other])];
  }
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(documentedIn(answer).map(([name, value]) => [name, shortened(value)]));
}

/** All members but `_id` beside `id`, which repeats it for wallets and is not documented. */
const documentedIn = (object: Record<string, Json>): [string, Json][] =>
  Object.entries(object).filter(([name]) => name !== '_id' || !('id' in object));

/** The names of all members of a value, of those in it too. */
function membersOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(membersOf).join()}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : '';
  return `{${Object.entries(value)
    .map(([name, child]) => name + membersOf(child))
    .join()}}`;
}

/**
 * Where a recorded answer has not the members of a live one. Items of lists differ: a recorded one must have what all live ones
 * have. Null may be anything else at another time.
 */
export function differences(recorded: Json, live: Json, path = '', inList = false): string[] {
  if (recorded === null || live === null) return [];
  if (Array.isArray(recorded) && Array.isArray(live)) {
    if (live.length === 0) return [];
    if (recorded.length === 0) return inList ? [] : [`${path}: no item`];
    const item = commonIn(live);
    return recorded.flatMap((each, index) => differences(each, item, `${path}/${index}`, true));
  }
  if (!isObject(recorded) || !isObject(live)) return isObject(recorded) === isObject(live) ? [] : [path];
  const missing = documentedIn(live).filter(([name]) => !(name in recorded));
  const invented = inList ? [] : Object.keys(recorded).filter(name => !(name in live));
  return [
    ...missing.map(([name]) => `${path}/${name} is missing`),
    ...invented.map(name => `${path}/${name} is not in the answer`),
    ...Object.entries(recorded)
      .filter(([name]) => name in live)
      .flatMap(([name, value]) => differences(value, live[name]!, `${path}/${name}`, inList)),
  ];
}

/** What all values have: the members of objects, the items of lists as one item; null where they differ in that. */
function commonIn(values: readonly Json[]): Json {
  const [first] = values;
  if (values.every(isObject)) {
    const names = Object.keys(first as Record<string, Json>).filter(name =>
      values.every(value => name in value),
    );
    return Object.fromEntries(names.map(name => [name, commonIn(values.map(value => value[name]!))]));
  }
  if (values.every(value => Array.isArray(value)))
    return values.flat().length === 0 ? [] : [commonIn(values.flat())];
  return values.some(value => value === null || typeof value === 'object') ? null : first!;
}

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of the file with the answers of a group. */
const fileOf = (group: string): string =>
  `${group
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')}.ts`;

/** Writes the answers of each group into its file in the contract. */
export function record(groups: ReadonlyMap<string, ResponseExamples>): void {
  const files = [...groups].map(([group, examples]) => {
    const file = join(FOLDER, fileOf(group));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      [
        `import type { ResponseExamples } from '../endpoint';`,
        '',
        '/** Recorded by `npm run record-examples`; not to be edited. */',
        `export const examples: ResponseExamples = ${JSON.stringify(examples)};`,
      ].join('\n'),
    );
    return file;
  });
  execFileSync(process.execPath, [PRETTIER, '--write', ...files], { cwd: ROOT });
}
