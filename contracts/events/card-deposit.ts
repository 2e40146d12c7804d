import { z } from 'zod';
import { accountKey, accountRef, TON_NETWORKS, type AccountRef } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of addresses where accounts of cards are topped up, one stream per address. */
export const CARD_DEPOSIT_CATEGORY = 'cardDeposit';

export function cardDepositStream(address: AccountRef | string): string {
  return `${CARD_DEPOSIT_CATEGORY}-${typeof address === 'string' ? address : accountKey(address)}`;
}

// This type is the storage format.
const assigned = eventType({
  name: 'CardDepositAssigned',
  schema: z.object({
    address: accountRef,
    accountId: z.string(),
    network: z.enum(TON_NETWORKS),
    userId: z.string(),
    at: z.iso.datetime(),
  }),
});

export const cardDepositEvents = eventFamily(assigned);
export type CardDepositEvent = EventOf<typeof assigned>;
