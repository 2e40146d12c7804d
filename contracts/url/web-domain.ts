import { parse } from 'tldts';
import { parseUrl } from './parse-url';

/** A host name, with a point or an asterisk before it for every host under it. */
const DOMAIN = /^(\*?\.)?([^/?#@:\s\\%]{1,253})$/u;

/**
 * A domain as wallets compare it, in lower case and Punycode (RFC 3492): `example.com` is that host alone, `.example.com` every
 * host under it too. `*.example.com` is read as the latter.
 * @returns null for what is not one: an IP address, a name under no public suffix, or a public suffix (publicsuffix.org), under
 *   which anybody can have a host, as with `.co.uk` and `.github.io`
 */
export function webDomain(text: string): string | null {
  const [, prefix, name] = DOMAIN.exec(text) ?? [];
  const host = name === undefined ? undefined : parseUrl(`https://${name}`)?.hostname;
  if (host === undefined) return null;
  const { domain, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  if (domain === null || !(isIcann || isPrivate) || host.startsWith('.') || host.endsWith('.')) return null;
  return prefix ? `.${host}` : host;
}

/**
 * The part of a host name that somebody has registered, such as `example.co.uk` of `www.example.co.uk`, or `ann.github.io`; the
 * whole name where there is none.
 */
export function registrableDomain(hostname: string): string {
  return parse(hostname, { allowPrivateDomains: true }).domain ?? hostname;
}
