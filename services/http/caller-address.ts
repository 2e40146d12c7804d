import { isIP } from 'node:net';
import type { Request } from 'express';

/**
 * The address of the caller. What a trusted proxy reports may have a port (`198.51.100.2:1234`, `[2001:db8::1]:80`); where it is
 * no address at all, it is that of the proxy.
 */
export function callerAddress({ ip = '', socket }: Request): string {
  return parseNode(ip) ?? socket.remoteAddress ?? '';
}

/** Whether a trusted proxy reports something else than an address. */
export function isUnreadable({ ip }: Request): boolean {
  return ip !== undefined && parseNode(ip) === null;
}

/** The node of RFC 7239, section 6; IPv6 is also accepted without brackets, as most proxies send it. */
const NODE = /^"?(?:\[([^\]]+)\](?::\d+)?|([\d.]+)(?::\d+)?)"?$/;

function parseNode(text: string): string | null {
  if (isIP(text)) return text;
  const [, v6, v4] = NODE.exec(text) ?? [];
  const address = v6 ?? v4 ?? '';
  return isIP(address) ? address : null;
}
