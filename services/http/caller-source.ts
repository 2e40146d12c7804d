import { createHmac, hkdfSync } from 'node:crypto';
import { addressKey } from '../../contracts/http/address-key';

/**
 * Where a call comes from, as it may be stored: what one source adds is told from what others add, for a share of a bound.
 * @param thing that callers have a share of for longer than a day, such as `wallet request to ton:mainnet:0:ab…`; none: what all
 * callers share within a day
 * @returns 16 hex digits, the same for all addresses of a network (`addressKey`): at a thing on every day, without one on one day in
 * UTC. Nobody without the key can tell the address, nor which sources of two things, or of two days, are the same
 */
export type CallerSource = (ip: string, thing?: string) => string;

const HEX_DIGITS = 16;
const INFO = 'tidemark caller source v1';

/** @param masterKey of the installation: sources of all its processes are the same */
export function createCallerSource(masterKey: Buffer, clock: () => Date): CallerSource {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', INFO, 32));
  return (ip, thing) => {
    const scope = thing ?? clock().toISOString().slice(0, 10);
    return createHmac('sha256', key)
      .update(`${scope}|${addressKey(ip)}`)
      .digest('hex')
      .slice(0, HEX_DIGITS);
  };
}
