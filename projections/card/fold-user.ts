import type { CardContactKind, CardUserEvent, KycResult } from '../../contracts/events/card-user';
import type { TonNetwork } from '../../contracts/network/network';
import type { EncryptedText } from '../../contracts/text/personal-text';

export interface CardWallet {
  readonly chain: 'ton' | 'solana';
  /** Raw on TON, base58 on Solana. */
  readonly address: string;
  /** Of a wallet of TON. */
  readonly version: 'v4r2' | 'v5r1' | null;
}

/** A code that was asked for, and not confirmed so far. */
export interface PendingCode {
  readonly kind: CardContactKind;
  readonly codeId: number;
  readonly contact: EncryptedText;
  readonly expiresAt: string;
  /** Wrong guesses. */
  readonly failures: number;
}

/** A card holder, as the events of its stream say. */
export interface CardUser {
  readonly userId: string;
  readonly network: TonNetwork;
  /** Hex. */
  readonly publicKey: string;
  readonly enrolledAt: string;
  /** Where the first enrolment came from, see `CallerSource`. */
  readonly source: string;
  readonly invited: boolean;
  /** At most one of each version and chain: all are of one key. */
  readonly wallets: readonly CardWallet[];
  readonly phone: EncryptedText | null;
  readonly email: EncryptedText | null;
  readonly code: PendingCode | null;
  /** When the last codes were asked for, oldest first. */
  readonly codesAt: readonly string[];
  /** The id of the last code; 0 before the first. */
  readonly codeId: number;
  readonly kyc: {
    /** Null unless it runs. */
    readonly startedAt: string | null;
    readonly result: KycResult | null;
    /** Of the result, by the issuer. */
    readonly decidedAt: string | null;
    readonly profile: EncryptedText | null;
  };
  readonly suspended: boolean;
  /** Times that all tokens were revoked. */
  readonly epoch: number;
}

/** Codes of which the times are known. */
export const MAX_CODES_PER_DAY = 10;

/** The next state; the first event of a stream is the enrolment. */
export function foldCardUser(user: CardUser | null, event: CardUserEvent): CardUser | null {
  const { type, data } = event;
  if (type === 'CardUserEnrolled') return user ?? enrolled(data);
  return user && changed(user, event);
}

type Enrolled = Extract<CardUserEvent, { type: 'CardUserEnrolled' }>['data'];

const enrolled = ({ userId, network, publicKey, at, source, invited }: Enrolled): CardUser => ({
  userId,
  network,
  publicKey,
  enrolledAt: at,
  source,
  invited,
  wallets: [],
  phone: null,
  email: null,
  code: null,
  codesAt: [],
  codeId: 0,
  kyc: { startedAt: null, result: null, decidedAt: null, profile: null },
  suspended: false,
  epoch: 0,
});

function changed(user: CardUser, { type, data }: CardUserEvent): CardUser {
  switch (type) {
    case 'CardUserEnrolled':
      return user;
    case 'CardUserInvited':
      return { ...user, invited: true };
    case 'CardUserWalletConnected': {
      const { chain, address, version } = data;
      return { ...user, wallets: [...user.wallets, { chain, address, version }] };
    }
    case 'CardUserCodeRequested': {
      const { kind, codeId, contact, expiresAt, at } = data;
      const codesAt = [...user.codesAt, at].slice(-MAX_CODES_PER_DAY);
      return { ...user, code: { kind, codeId, contact, expiresAt, failures: 0 }, codesAt, codeId };
    }
    case 'CardUserCodeFailed': {
      const code = user.code && { ...user.code, failures: user.code.failures + 1 };
      return { ...user, code };
    }
    case 'CardUserContactConfirmed':
      return { ...user, [data.kind]: data.contact, code: null };
    case 'CardUserKycStarted':
      return { ...user, kyc: { ...user.kyc, startedAt: data.at } };
    case 'CardUserKycDecided': {
      const { result, decidedAt, profile } = data;
      const kyc = { startedAt: null, result, decidedAt, profile: profile ?? user.kyc.profile };
      return { ...user, kyc };
    }
    case 'CardUserSuspended':
      return { ...user, suspended: true };
    case 'CardUserResumed':
      return { ...user, suspended: false };
    case 'CardUserTokensRevoked':
      return { ...user, epoch: data.epoch };
  }
}

/** What the user has to do next, as the wire spells it; `ok`: nothing. */
export const CARD_USER_STATES = ['no-ref', 'need-phone', 'need-email', 'need-kyc', 'ok'] as const;
export type CardUserState = (typeof CARD_USER_STATES)[number];

export function cardUserState({
  invited,
  phone,
  email,
  kyc,
}: Pick<CardUser, 'invited' | 'phone' | 'email' | 'kyc'>): CardUserState {
  if (!invited) return 'no-ref';
  if (!phone) return 'need-phone';
  if (!email) return 'need-email';
  return kyc.result === 'GREEN' ? 'ok' : 'need-kyc';
}
