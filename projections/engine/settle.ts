/** What strings, objects and members take beside their characters, about. */
const STRING = 24;
const OBJECT = 32;
const MEMBER = 12;
const SCALAR = 16;

/** Freezes a JSON value to its last member; answers with about how many bytes it takes together with its JSON text. */
export function settle(value: unknown): number {
  if (typeof value === 'string') return STRING + 2 * value.length;
  if (typeof value !== 'object' || value === null) return SCALAR;
  let size = OBJECT;
  if (Array.isArray(value)) for (const item of value) size += settle(item);
  else for (const key in value) size += MEMBER + key.length + settle((value as Record<string, unknown>)[key]);
  Object.freeze(value);
  return size;
}
