import { isUtf8 } from 'node:buffer';
import { readJson } from './read-json';
import { endOfString, isName } from './strings';

/** Not JSON, or JSON that programs read in different ways. */
export class MalformedJson extends Error {
  override readonly name = 'MalformedJson';

  constructor(
    message: string,
    /** Of the member that comes twice, if that is the fault. */
    readonly path: readonly string[] | null = null,
  ) {
    super(message);
  }
}

/**
 * The value of a JSON text that has one reading: UTF-8, and no member twice in an object, of which RFC 8259 (section 4) leaves
 * open which one counts. A byte order mark before it is ignored.
 * @throws MalformedJson
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw new MalformedJson('it is not UTF-8');
  return parseJsonText(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      .toString()
      .replace(/^\ufeff/, ''),
  );
}

/** As `parseJson`, of a text. @throws MalformedJson */
export function parseJsonText(text: string): unknown {
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    throw new MalformedJson('it is not JSON');
  }
  const repeated = repeatedMember(text, value);
  if (repeated)
    throw new MalformedJson(`the member ${JSON.stringify(repeated.at(-1))} is there twice`, repeated);
  return value;
}

/**
 * The path of the first member that comes twice in its object, or null. In time linear in the text.
 * @param value what `readJson` made of the text
 */
export function repeatedMember(text: string, value: unknown): readonly string[] | null {
  // Of members with the same name one is left, so that fewer are left than the text has.
  return namesIn(text) === membersOf(value) ? null : findRepeated(text);
}

function namesIn(text: string): number {
  let names = 0;
  for (let at = text.indexOf('"'); at >= 0;) {
    const end = endOfString(text, at);
    if (isName(text, end)) names++;
    at = text.indexOf('"', end);
  }
  return names;
}

function membersOf(root: unknown): number {
  let members = 0;
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const children = Object.values(value) as unknown[];
    if (!Array.isArray(value)) members += children.length;
    for (const child of children) if (typeof child === 'object' && child !== null) open.push(child);
  }
  return members;
}

function findRepeated(text: string): readonly string[] | null {
  /** Of each open object or array: its names so far, null for an array; and the name or index of what is read in it. */
  const open: { readonly names: Set<string> | null; step: string | number }[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    const innermost = open.at(-1);
    if (char === '{') open.push({ names: new Set(), step: '' });
    else if (char === '[') open.push({ names: null, step: 0 });
    else if (char === '}' || char === ']') open.pop();
    else if (char === ',' && typeof innermost?.step === 'number') innermost.step++;
    else if (char === '"') {
      const end = endOfString(text, at);
      if (innermost?.names && isName(text, end)) {
        const name = JSON.parse(text.slice(at, end)) as string;
        innermost.step = name;
        if (innermost.names.has(name)) return open.map(({ step }) => String(step));
        innermost.names.add(name);
      }
      at = end - 1;
    }
  }
  return null;
}
