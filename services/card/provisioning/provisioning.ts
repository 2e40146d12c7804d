import {
  IssuerRefused,
  IssuerUnavailable,
  type AppleProvisioning,
  type AppleProvisioningData,
  type CardIssuer,
  type GoogleProvisioning,
  type GoogleProvisioningData,
} from '../../../contracts/card-issuer/issuer';
import { Problem } from '../../../contracts/problem/problem';
import { cardStatus, type CardState } from '../../../projections/card/card-state';
import { findCardsOf } from '../../../projections/card/cards';
import type { CardDeps } from '../deps';
import type { AskIssuer } from '../issuer/ask-issuer';
import { expectCard } from '../list/holdings';
import type { CallingHolder, CardCaller } from '../tokens/caller';
import { profileOf } from '../user/profile';

const RETRY_S = 5;

export interface ProvisioningDeps extends Pick<CardDeps, 'store' | 'views' | 'texts'> {
  readonly askIssuer: AskIssuer;
  /** Fires when the program stops. */
  readonly signal: AbortSignal;
}

/** Cards that a holder may add to a wallet of its phone, in the order in which they were ordered. */
export async function listProvisionable({ views, texts }: ProvisioningDeps, { userId, user }: CardCaller) {
  const cards = user.suspended ? [] : (await findCardsOf(views, userId)).filter(isProvisionable);
  if (cards.length === 0) return [];
  const { firstName, lastName } = await profileOf(texts, user);
  const cardholderName = `${firstName} ${lastName}`.trim();
  return cards.map(({ cardId, lastFourDigits, fiatCurrency }) => ({
    id: cardId,
    lastFourDigits: lastFourDigits!,
    cardholderName,
    title: `${fiatCurrency} •• ${lastFourDigits!}`,
  }));
}

function isProvisionable(card: CardState): boolean {
  return card.lastFourDigits !== null && cardStatus(card) === 'ACTIVE';
}

/** What Apple's wallet needs. @throws Problem as `provision` */
export function appleProvisioning(
  deps: ProvisioningDeps,
  caller: CallingHolder,
  cardId: string,
  params: AppleProvisioning,
): Promise<AppleProvisioningData> {
  return provision(deps, caller, cardId, (issuer, signal) =>
    issuer.appleProvisioning(cardId, params, { signal }),
  );
}

/** What Google's wallet needs. @throws Problem as `provision` */
export function googleProvisioning(
  deps: ProvisioningDeps,
  caller: CallingHolder,
  cardId: string,
  params: GoogleProvisioning,
): Promise<GoogleProvisioningData> {
  return provision(deps, caller, cardId, (issuer, signal) =>
    issuer.googleProvisioning(cardId, params, { signal }),
  );
}

/**
 * Whose card it is comes before everything else: what the issuer answers has the number of the card.
 * @throws Problem 404 `card_not_found` also for another's card, 409 `card_state`, 422 `card_provisioning_refused`,
 * 503 `card_issuer_unavailable`
 */
async function provision<Data>(
  { store, askIssuer, signal }: ProvisioningDeps,
  caller: CallingHolder,
  cardId: string,
  ask: (issuer: CardIssuer, signal: AbortSignal) => Promise<Data>,
): Promise<Data> {
  const card = await expectCard({ store }, caller, cardId);
  if (caller.user.suspended || !isProvisionable(card))
    throw new Problem('card_state', 'The card cannot be added to a wallet: it is not active.');
  try {
    return await askIssuer(caller, issuer => ask(issuer, signal), signal);
  } catch (error) {
    if (error instanceof IssuerRefused)
      throw new Problem('card_provisioning_refused', 'The issuer does not add the card to this wallet.');
    if (error instanceof IssuerUnavailable)
      throw new Problem('card_issuer_unavailable', 'The issuer of the card does not answer.', {
        retryAfter: RETRY_S,
      });
    throw error;
  }
}
