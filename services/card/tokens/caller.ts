import { addressKey } from '../../../contracts/http/address-key';
import { CARD_CALLS, CARD_DEAD_TOKENS } from '../../../contracts/http/card/mount';
import { cardTokenStream } from '../../../contracts/events/card-token';
import { cardUserStream } from '../../../contracts/events/card-user';
import type { TonNetwork } from '../../../contracts/network/network';
import { Problem } from '../../../contracts/problem/problem';
import type { CardUser } from '../../../projections/card/fold-user';
import { findCardToken, type CardToken } from '../../../projections/card/tokens';
import { findCardUser } from '../../../projections/card/users';
import type { AnyCall } from '../../http/call';
import { limitAddress, limitSubject } from '../../http/limits';
import { load } from '../../commands/load';
import type { CardDeps } from '../deps';
import { expectCardOn } from '../enrolment/web-address';
import { cardUserKind } from '../user/decider';
import { cardTokenKind } from './decider';
import { digestOfToken } from './digest';

/** Who calls, as the token says. */
export interface CardCaller {
  readonly userId: string;
  readonly network: TonNetwork;
  readonly user: CardUser;
  /** Of the token, hex. */
  readonly digest: string;
  /** Of the token, RFC 3339 UTC. */
  readonly expiresAt: string;
}

/** A card holder who calls, and from where. */
export interface CallingHolder extends CardCaller {
  /** As of `addressKey`. */
  readonly address: string;
}

export type CardCallerDeps = Pick<CardDeps, 'store' | 'views' | 'limits' | 'clock' | 'isOn'>;
type Called = Pick<AnyCall, 'ip' | 'route' | 'appendHeader'>;

/**
 * The card holder whose token a call has. 401 is for a dead token alone: it has the app forget the token.
 * @throws Problem 401 `card_token_invalid`, 404 `card_off`, 429 `rate_limited`
 */
export async function cardCaller(deps: CardCallerDeps, call: Called, token: string): Promise<CallingHolder> {
  return cardCallerOn(deps, expectCardOn(deps, call), call, token);
}

/** The same, where the path does not say the network. @throws Problem 401 `card_token_invalid`, 429 `rate_limited` */
export async function cardCallerOn(
  deps: Pick<CardCallerDeps, 'store' | 'views' | 'limits' | 'clock'>,
  network: TonNetwork,
  call: Omit<Called, 'route'>,
  token: string,
): Promise<CallingHolder> {
  const caller = await findCardCaller(deps, network, digestOfToken(token));
  const limits = await deps.limits();
  if (!caller) {
    await limitAddress(limits, CARD_DEAD_TOKENS, call);
    throw new Problem('card_token_invalid', 'The token is unknown here, has expired, or was revoked.');
  }
  await limitSubject(limits, CARD_CALLS, caller.userId, call);
  return { ...caller, address: addressKey(call.ip) };
}

/** Null where the token with the digest is dead. */
export async function findCardCaller(
  { store, views, clock }: Pick<CardCallerDeps, 'store' | 'views' | 'clock'>,
  network: TonNetwork,
  digest: string,
): Promise<CardCaller | null> {
  // What the documents do not have yet the streams have.
  const token: CardToken | null =
    (await findCardToken(views, digest)) ?? (await load(store, cardTokenKind, cardTokenStream(digest)));
  if (!token || token.revoked || token.network !== network) return null;
  const { userId, expiresAt } = token;
  if (Date.parse(expiresAt) <= clock().getTime()) return null;
  const user: CardUser | null =
    (await findCardUser(views, userId)) ?? (await load(store, cardUserKind, cardUserStream(userId)));
  // All that were issued before are dead.
  if (!user || user.epoch > token.epoch) return null;
  return { userId, network, user, digest, expiresAt };
}
