import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../../contracts/url/parse-url';

type Headers = Pick<IncomingHttpHeaders, 'host' | 'origin'>;

/** Whether a request may come from a page that it names as its origin, and is for a host that is ours. */
export type IsAllowed = (headers: Headers) => boolean;

/**
 * For servers that trust all that reaches them: a browser reaches what its machine does, for each page that it shows. A page of
 * another origin says so in `Origin`; one whose name now resolves to this machine (DNS rebinding) is in `Host`. Addresses
 * cannot be rebound, and programs that are no browsers send no `Origin`.
 * @param names of hosts that are allowed beside those of this machine
 */
export function allowHosts(names: readonly string[]): IsAllowed {
  const allowed = new Set(names.map(name => name.toLowerCase()));
  const isOurs = (hostname: string): boolean => isThisMachine(hostname) || allowed.has(hostname);
  return ({ host, origin }) => {
    const asked = hostnameOf(`http://${host ?? ''}`);
    if (asked === null || !(isOurs(asked) || ipaddr.isValid(asked))) return false;
    if (origin === undefined) return true;
    const page = hostnameOf(origin);
    return page !== null && isOurs(page);
  };
}

/** `localhost`, names below it (RFC 6761, section 6.3), and loopback addresses. */
export function isThisMachine(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  return ipaddr.isValid(hostname) && ipaddr.process(hostname).range() === 'loopback';
}

/** In lower case, IPv6 without brackets. */
function hostnameOf(url: string): string | null {
  return parseUrl(url)?.hostname.replace(/^\[(.*)\]$/, '$1') || null;
}
