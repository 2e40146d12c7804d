/** Which streams of `$all` are meant: as the server can filter them, and exactly. */
export interface Selection {
  readonly filter: { readonly prefixes: readonly string[] } | { readonly regex: string };
  has(stream: string): boolean;
}

const NO_SYSTEM_STREAM = '^[^$]';

const categoryOf = (stream: string): string => stream.split('-', 1)[0]!;

const isSystem = (stream: string): boolean => stream.startsWith('$');

/**
 * The server filters by prefix, which is its fastest filter. Prefixes go without the dash, since a stream may be
 * called as its category alone; the few others that let through (`fees-1` for `fee`) are sorted out here.
 */
export function select(categories: readonly string[] | undefined): Selection {
  if (!categories) return { filter: { regex: NO_SYSTEM_STREAM }, has: stream => !isSystem(stream) };
  const wanted = new Set(categories);
  return {
    // A server takes no empty list: of no category are, for its part, the streams that begin with a dash.
    filter: { prefixes: wanted.size > 0 ? [...wanted] : ['-'] },
    has: stream => wanted.has(categoryOf(stream)) && !isSystem(stream),
  };
}
