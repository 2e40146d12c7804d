import { createHmac, hkdfSync } from 'node:crypto';
import { addressKey } from '../../contracts/http/address-key';

/**
 * Where a call comes from, as it may be stored: what one source adds is told from what others add, for a share of a bound.
 * @returns 16 hex digits, the same for all addresses of a network (`addressKey`) on one day in UTC; nobody without the key
 * can tell the address, and nobody at all which sources of two days are the same
 */
export type CallerSource = (ip: string) => string;

const HEX_DIGITS = 16;
const INFO = 'tidemark caller source v1';

/** @param masterKey of the installation: sources of all its processes are the same */
export function createCallerSource(masterKey: Buffer, clock: () => Date): CallerSource {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', INFO, 32));
  return ip => {
    const day = clock().toISOString().slice(0, 10);
    return createHmac('sha256', key)
      .update(`${day}|${addressKey(ip)}`)
      .digest('hex')
      .slice(0, HEX_DIGITS);
  };
}
