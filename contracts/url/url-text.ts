import { z } from 'zod';

/**
 * The text of a URL in a request. Its length is checked first: a longer one is not parsed.
 * @param options `max` characters, and the scheme; default: any
 */
export function urlText({ max, protocol }: { readonly max: number; readonly protocol?: RegExp }) {
  return z
    .string()
    .max(max, { abort: true })
    .check(z.url(protocol && { protocol }));
}
