import { endOfString, isName } from './strings';

/**
 * The value of a JSON text, as ECMAScript defines it. JSON.parse of Node 24 and 26 gives names that are written with an escape
 * the name of another member when an object with a name that contains a backslash was read before (nodejs/node#63785), so those
 * names are read as strings.
 * @throws SyntaxError
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return hasEscapedName(text) ? readWithEscapedNames(text) : value;
}

/** The value of a JSON text; null where it is none. */
export function jsonOrNull(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}

/** Of a valid JSON text. Only strings that contain an escape are looked at. */
function hasEscapedName(text: string): boolean {
  for (let at = text.indexOf('\\'); at >= 0;) {
    // Nothing is escaped between the string before it and the first escape of a string: the last quote is the one that opens it.
    const end = endOfString(text, text.lastIndexOf('"', at));
    if (isName(text, end)) return true;
    at = text.indexOf('\\', end);
  }
  return false;
}

/** Stands before a number in the place of a name. */
const PLACEHOLDER = 'name ';

/**
 * All names are replaced: those that are integers, which come first in an object whatever its order, would be taken for earlier
 * than the others.
 */
function readWithEscapedNames(text: string): unknown {
  const names: string[] = [];
  let replaced = '';
  let copied = 0;
  for (let at = text.indexOf('"'); at >= 0;) {
    const end = endOfString(text, at);
    const string = text.slice(at, end);
    if (isName(text, end)) {
      replaced += `${text.slice(copied, at)}"${PLACEHOLDER}${names.length}"`;
      copied = end;
      names.push(JSON.parse(string) as string);
    }
    at = text.indexOf('"', end);
  }
  const value: unknown = JSON.parse(replaced + text.slice(copied));
  rename(value, names);
  return value;
}

/** Gives the members of all objects in it their names, in their order, of members with one name the last value. */
function rename(root: unknown, names: readonly string[]): void {
  const open = [root];
  while (open.length > 0) {
    const object = open.pop();
    if (typeof object !== 'object' || object === null) continue;
    for (const value of Object.values(object)) if (typeof value === 'object') open.push(value);
    if (Array.isArray(object)) continue;
    const members = Object.entries(object);
    for (const [name] of members) Reflect.deleteProperty(object, name);
    for (const [name, value] of members)
      Object.defineProperty(object, names[Number(name.slice(PLACEHOLDER.length))]!, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
}
