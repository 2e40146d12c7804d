import { z } from 'zod';
import type { TonNetwork } from '../../network/network';
import type { Quota } from '../../quota';

export const CARD = 'Card service';

const TESTNET = '/card/testnet';

/** The path of an endpoint of the card service on both of its mounts: that of the main network, and that of the test network. */
export function cardPath<const Path extends `/${string}`>(path: Path) {
  return { path: `/card${path}`, aliases: [`${TESTNET}${path}`] } as const;
}

/** The network of the mount that was called. @param route path or alias of the endpoint */
export function cardNetworkOf({ route }: { readonly route: string }): TonNetwork {
  return route.startsWith(`${TESTNET}/`) ? 'testnet' : 'mainnet';
}

/** What does not have the form of a token is unknown, as is every other that was not issued. */
export const cardToken = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'That of the enrolment; a 401 says that it is unknown, has expired or was revoked' });

/** On the local main network: of Alice, who has done all steps, and of Bob, who has enrolled. Issued to nobody elsewhere. */
export const EXAMPLE_CARD_TOKEN = `local-alice-${'A'.repeat(31)}`;
export const EXAMPLE_NEW_CARD_TOKEN = `local-bob-${'B'.repeat(33)}`;

/** What an endpoint with a token may answer with. */
export const CARD_TOKEN_ERRORS = ['card_off', 'card_token_invalid', 'rate_limited'] as const;

/** An app asks some seven times a minute, and at each change of its screen. */
export const CARD_CALLS: Quota = {
  name: 'card_calls',
  of: 'calls of a card holder, whichever of its tokens they have',
  by: 'key',
  perMinute: 240,
};

export const CARD_DEAD_TOKENS: Quota = {
  name: 'card_dead_tokens',
  of: 'calls of the card service with a token that is unknown, has expired or was revoked',
  by: 'address',
  perMinute: 120,
};

/** Updates of the app have all wallets enrol again, many from one address of a mobile network. */
export const CARD_ENROLMENTS: Quota = {
  name: 'card_enrolments',
  of: 'enrolments of wallets with the card service',
  by: 'address',
  perMinute: 120,
};

export const CARD_INVITATION_CHECKS: Quota = {
  name: 'card_invitation_checks',
  of: 'questions whether the card service is open to a wallet',
  by: 'address',
  perMinute: 240,
};
