import { z } from 'zod';
import { accountKey, TON_NETWORKS, type TonNetwork } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of warnings about TON addresses, one stream per address. */
export const ADDRESS_WARNING_CATEGORY = 'addressWarning';

/** @param address raw */
export function addressWarningStream(network: TonNetwork, address: string): string {
  return `${ADDRESS_WARNING_CATEGORY}-${accountKey({ chain: 'ton', network, address })}`;
}

/**
 * What wallets warn of. `spam`: transactions of the address are marked as spam. `restrict_send`: the receiver may not accept
 * what is sent to it, and the wallet asks again before it sends.
 */
export const ADDRESS_WARNINGS = ['spam', 'restrict_send'] as const;
export type AddressWarning = (typeof ADDRESS_WARNINGS)[number];

const data = z.object({
  network: z.enum(TON_NETWORKS),
  /** Raw. */
  address: z.string(),
  warning: z.enum(ADDRESS_WARNINGS),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
  by: z.string(),
});

// These types are the storage format.
const warningAdded = eventType({ name: 'AddressWarningAdded', schema: data });
const warningRemoved = eventType({ name: 'AddressWarningRemoved', schema: data });

export const addressWarningEvents = eventFamily(warningAdded, warningRemoved);
export type AddressWarningEvent = EventOf<typeof warningAdded> | EventOf<typeof warningRemoved>;
