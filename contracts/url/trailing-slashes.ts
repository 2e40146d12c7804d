/** A URL to which paths are appended: `http://node/` and `http://node` are the same. */
export function withoutTrailingSlashes(url: string): string {
  // Looking behind keeps it linear on a text of slashes.
  return url.replace(/(?<!\/)\/+$/, '');
}
