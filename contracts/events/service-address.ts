import { z } from 'zod';
import { SOLANA_NETWORKS, TON_NETWORKS, accountKey, type AccountRef } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of addresses of services, one stream per address. */
export const SERVICE_ADDRESS_CATEGORY = 'serviceAddress';

export function serviceAddressStream(account: AccountRef): string {
  return `${SERVICE_ADDRESS_CATEGORY}-${accountKey(account)}`;
}

/** Services that wallets know: the card service, the exchange partner, and greeting cards. Wallets refuse another. */
export const SERVICES = ['holders', 'changelly', 'postcash'] as const;

const address = {
  /** Raw on TON and base58 on Solana. */
  account: z.discriminatedUnion('chain', [
    z.object({ chain: z.literal('ton'), network: z.enum(TON_NETWORKS), address: z.string() }),
    z.object({ chain: z.literal('solana'), network: z.enum(SOLANA_NETWORKS), address: z.string() }),
  ]),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
  by: z.string(),
};
const service = z.object({
  service: z.enum(SERVICES),
  /** What the address is for, such as `deposit`. */
  type: z.string().nullable(),
  /** URL of an image. */
  icon: z.string().nullable(),
});
export type Service = z.output<typeof service>;

// These types are the storage format.
/** Replaces what was known of the address before. */
const added = eventType({ name: 'ServiceAddressAdded', schema: z.object({ ...address, ...service.shape }) });
const removed = eventType({ name: 'ServiceAddressRemoved', schema: z.object(address) });

export const serviceAddressEvents = eventFamily(added, removed);
export type ServiceAddressEvent = EventOf<typeof added | typeof removed>;
