import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Of a translator between both (RFC 6052, `64:ff9b::/96`; RFC 6145): all callers of IPv4 would be one. */
const TRANSLATED: ReadonlySet<string> = new Set(['rfc6052', 'rfc6145']);

/** IPv6 addresses are counted by their /64 network, all of which usually belongs to one host (RFC 4291, section 2.5.4). */
export function addressKey(ip: string): string {
  if (isIPv4(ip)) return ip;
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  if (TRANSLATED.has(address.range())) return address.toByteArray().slice(12).join('.');
  return `${address.toByteArray().slice(0, 8).join('.')}/64`;
}
