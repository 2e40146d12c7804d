import { z } from 'zod';
import { accountKey, TON_NETWORKS, type TonNetwork } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of tokens, one for each that an operator has verified. */
export const TOKEN_CATEGORY = 'token';

/** @param address of the master, raw */
export function tokenStream(network: TonNetwork, address: string): string {
  return `${TOKEN_CATEGORY}-${accountKey({ chain: 'ton', network, address })}`;
}

/** What operators say of a token. `none`, the default, is nothing for or against it. */
export const TOKEN_VERIFICATIONS = ['whitelist', 'blacklist', 'none'] as const;

// This type is the storage format.
const verificationSet = eventType({
  name: 'TokenVerificationSet',
  schema: z.object({
    network: z.enum(TON_NETWORKS),
    /** Raw. */
    address: z.string(),
    verification: z.enum(TOKEN_VERIFICATIONS),
    at: z.string(),
    by: z.string(),
  }),
});

export const tokenEvents = eventFamily(verificationSet);
export type TokenEvent = EventOf<typeof verificationSet>;
export type TokenVerification = TokenEvent['data']['verification'];
