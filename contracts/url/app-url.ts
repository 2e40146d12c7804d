import { parseUrl } from './parse-url';
import { webDomain } from './web-domain';
import { withoutTrailingSlashes } from './trailing-slashes';

const MAX_LENGTH = 500;

/**
 * The address of an application as the catalog knows it: HTTPS, the host in lower case and Punycode, and the path without a slash at
 * its end; no query and no fragment, which differ from visit to visit. Wallets escape it twice, so that an escaped one is
 * unescaped first.
 * @returns null for what is no address of an application: another scheme, a port, credentials, an IP address
 */
export function appUrl(text: string): string | null {
  const page = pageUrl(text);
  if (page === null || page.href.length > 4 * MAX_LENGTH) return null;
  const { protocol, hostname, port, username, password, pathname } = page;
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return null;
  if (hostname.startsWith('.') || webDomain(hostname) !== hostname) return null;
  const url = `https://${hostname}${withoutTrailingSlashes(pathname)}`;
  return url.length <= MAX_LENGTH ? url : null;
}

/** The address of any page, as it is or escaped; null for what is none. */
export function pageUrl(text: string): URL | null {
  const unescaped = /^https?%3a/i.test(text) ? tryDecode(text) : text;
  const url = unescaped === null ? null : parseUrl(unescaped);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
}

function tryDecode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
