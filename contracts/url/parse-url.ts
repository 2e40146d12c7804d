/**
 * Characters of a host, with user and port: those of a name (RFC 1035, section 2.3.4) are 253, of which each may be written as
 * several. Its Unicode is normalized and written in Punycode in a time that grows with the square of its length.
 */
const MAX_AUTHORITY = 1_024;

/** Skipped wherever they are (https://url.spec.whatwg.org/#concept-basic-url-parser). */
const SKIPPED = /[\t\n\r]/g;
/** What precedes the host, and what may be the host: of a relative path its first part. */
const AUTHORITY = /^[\0- ]*(?:[a-z][a-z\d+.-]*:)?[/\\]*([^/\\?#]*)/i;

/**
 * An absolute URL; null for what is none, and for one whose host is longer than any. Not `URL.canParse`: that of Node 20, once it
 * is optimized, says no to a URL with Latin-1 characters such as `ü`.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  const [, authority = ''] = AUTHORITY.exec(text.replace(SKIPPED, '')) ?? [];
  if (authority.length > MAX_AUTHORITY) return null;
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
