import type { TonNetwork } from '../network/network';
import type { CARD_DESIGNS, CARD_SCHEMAS, CARD_TYPES } from '../events/card';

/** A card that the issuer is to make. It knows the card by our id ever after. */
export interface CardOrder {
  readonly cardId: string;
  readonly accountId: string;
  readonly userId: string;
  readonly network: TonNetwork;
  readonly type: (typeof CARD_TYPES)[number];
  readonly schema: (typeof CARD_SCHEMAS)[number];
  readonly design: (typeof CARD_DESIGNS)[number] | null;
  readonly productId: string;
  readonly personalizationCode: string;
  readonly fiatCurrency: string;
  /** What purchases are paid with. */
  readonly accountCurrency: { readonly ticker: string; readonly decimals: number };
  /** The card that this one is in place of. */
  readonly replaces: string | null;
  /** Of a plastic card. `details`: JSON of address, telephone and method; null when they were erased. */
  readonly delivery: { readonly countryCode: string; readonly details: string | null } | null;
}

/** How a card may be used; the issuer confirms each by a webhook. */
export const CARD_USES = ['freeze', 'unfreeze', 'block', 'close'] as const;
export type CardUse = (typeof CARD_USES)[number];

/** What Apple's sheet has given the app, base64. */
export interface AppleProvisioning {
  readonly certificates: readonly string[];
  readonly nonce: string;
  readonly nonceSignature: string;
}

/** What the app passes on to Apple, base64. Nothing of it is stored. */
export interface AppleProvisioningData {
  readonly encryptedData: string;
  readonly activationData: string;
  readonly ephemeralPublicKey: string;
}

/** What Google's wallet has given the app. */
export interface GoogleProvisioning {
  readonly walletAccountId: string;
  readonly deviceId: string;
}

export interface GoogleProvisioningData {
  readonly encryptedData: string;
}

export interface IssuerCall {
  readonly signal: AbortSignal;
}

/**
 * The issuer of cards. It knows users, accounts and cards by our ids, so that each call may be repeated: what was done already is
 * not done again. What comes of a call is told by webhooks (`webhooks.ts`).
 * @throws IssuerRefused, IssuerUnavailable
 */
export interface CardIssuer {
  /** A double: nothing of it is real. */
  readonly sandbox: boolean;
  startKyc(user: { readonly userId: string; readonly network: TonNetwork }, call: IssuerCall): Promise<void>;
  issueCard(order: CardOrder, call: IssuerCall): Promise<void>;
  /** @param number orders the changes of a card: what is older than the last one that the issuer has done changes nothing */
  changeCard(
    cardId: string,
    change: { readonly use: CardUse; readonly number: number },
    call: IssuerCall,
  ): Promise<void>;
  /** @throws IssuerRefused `challenge_expired` when the issuer no longer waits for it */
  answerChallenge(challengeId: string, isConfirmed: boolean, call: IssuerCall): Promise<void>;
  appleProvisioning(
    cardId: string,
    given: AppleProvisioning,
    call: IssuerCall,
  ): Promise<AppleProvisioningData>;
  /** At which a prepaid card is loaded now: so many units of the currency of an account are so many of the smallest of the card's. */
  rate(
    of: { readonly accountCurrency: CardOrder['accountCurrency']; readonly fiatCurrency: string },
    call: IssuerCall,
  ): Promise<{ readonly units: string; readonly per: string }>;
  googleProvisioning(
    cardId: string,
    given: GoogleProvisioning,
    call: IssuerCall,
  ): Promise<GoogleProvisioningData>;
}

export const ISSUER_REFUSALS = ['unknown_card', 'challenge_expired', 'invalid', 'other'] as const;
export type IssuerRefusal = (typeof ISSUER_REFUSALS)[number];

/** The issuer understood, and said no: asking again changes nothing. */
export class IssuerRefused extends Error {
  override readonly name = 'IssuerRefused';
  constructor(
    readonly reason: IssuerRefusal,
    message: string,
  ) {
    super(message);
  }
}

/** The issuer was not reached, is overloaded, or its answer was lost. Worth a retry. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}
