import { categoryOf } from '../../../../contracts/category';

/** Which streams of `$all` to read: a filter for the server, and the exact condition. */
export interface CategoryFilter {
  readonly serverFilter: { readonly prefixes: readonly string[] } | { readonly regex: string };
  matches(stream: string): boolean;
}

const NO_SYSTEM_STREAM = '^[^$]';

const isSystem = (stream: string): boolean => stream.startsWith('$');

/**
 * The server filters by prefix, which is its fastest filter. Prefixes have no dash, since a stream may be named like
 * its category; the few others that they let through (`fees-1` for `fee`) are removed by `matches`.
 */
export function categoryFilter(categories: readonly string[] | undefined): CategoryFilter {
  if (!categories) return { serverFilter: { regex: NO_SYSTEM_STREAM }, matches: stream => !isSystem(stream) };
  const wanted = new Set(categories);
  return {
    // The server rejects an empty list. Streams that begin with a dash have no category.
    serverFilter: { prefixes: wanted.size > 0 ? [...wanted] : ['-'] },
    matches: stream => wanted.has(categoryOf(stream)) && !isSystem(stream),
  };
}
