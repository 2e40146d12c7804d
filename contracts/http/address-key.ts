import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv6 addresses are counted by their /64 network, all of which usually belongs to one host (RFC 4291, section 2.5.4). */
export function addressKey(ip: string): string {
  if (isIPv4(ip)) return ip;
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toByteArray().slice(0, 8).join('.')}/64`;
}
