import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import {
  cardUserEvents,
  type CardContactKind,
  type CardUserEvent,
  type KycResult,
} from '../../../contracts/events/card-user';
import type { TonNetwork } from '../../../contracts/network/network';
import type { EncryptedText } from '../../../contracts/text/personal-text';
import {
  cardUserState,
  foldCardUser,
  MAX_CODES_PER_DAY,
  type CardUser,
  type CardWallet,
} from '../../../projections/card/fold-user';
import type { StreamKind } from '../../commands/stream-kind';

interface Enrol {
  readonly type: 'enrol';
  readonly userId: string;
  readonly network: TonNetwork;
  /** Hex: its owner has proved it. */
  readonly publicKey: string;
  readonly wallets: readonly CardWallet[];
  readonly isInvited: boolean;
  readonly source: string;
  /** Whether there may be one more user from there. */
  readonly hasPlace: boolean;
  readonly metadata: CommandMetadata;
}

interface RequestCode {
  readonly type: 'request_code';
  readonly kind: CardContactKind;
  readonly contact: EncryptedText;
  readonly metadata: CommandMetadata;
}

interface ConfirmCode {
  readonly type: 'confirm_code';
  readonly kind: CardContactKind;
  /** The code that the guess was compared with. */
  readonly codeId: number;
  readonly isRight: boolean;
  readonly metadata: CommandMetadata;
}

interface StartKyc {
  readonly type: 'start_kyc';
  readonly metadata: CommandMetadata;
}

export interface DecideKyc {
  readonly type: 'decide_kyc';
  readonly result: KycResult;
  /** When the issuer has decided, RFC 3339 UTC. */
  readonly decidedAt: string;
  /** Null when the issuer says nothing of the person. */
  readonly profile: EncryptedText | null;
  readonly metadata: CommandMetadata;
}

interface Suspend {
  readonly type: 'suspend';
  readonly reason: EncryptedText;
  readonly metadata: CommandMetadata;
}

interface Resume {
  readonly type: 'resume';
  readonly metadata: CommandMetadata;
}

interface RevokeTokens {
  readonly type: 'revoke_tokens';
  readonly metadata: CommandMetadata;
}

export type CardUserCommand =
  Enrol | RequestCode | ConfirmCode | StartKyc | DecideKyc | Suspend | Resume | RevokeTokens;

/** Wrong guesses of a code; the next one is not compared any more. */
const MAX_FAILURES = 5;
const CODE_VALID_MS = 600_000;
const DAY_MS = 86_400_000;

type Decision = readonly CardUserEvent[] | Refusal;

/** A card holder: enrolled by the key of a wallet, then known by phone, e-mail address and the issuer's decision. */
export const cardUserKind: StreamKind<CardUser | null, CardUserCommand, CardUserEvent> = {
  events: cardUserEvents,
  decider: {
    initial: () => null,
    evolve: foldCardUser,
    decide(user, command) {
      if (command.type === 'enrol') return enrol(user, command);
      if (!user) return refuse('card_user_not_found', 'There is no card holder with this id.');
      return decide(user, command);
    },
  },
};

function decide(user: CardUser, command: Exclude<CardUserCommand, Enrol>): Decision {
  const { userId, network, suspended, epoch } = user;
  const { now: at, actor: by } = command.metadata;
  const about = { userId, network, at };
  switch (command.type) {
    case 'request_code':
      return requestCode(user, command, about);
    case 'confirm_code':
      return confirmCode(user, command, about);
    case 'start_kyc':
      return startKyc(user, about);
    case 'decide_kyc': {
      const { result, decidedAt, profile } = command;
      if (!isNewer(user.kyc, command)) return [];
      return [{ type: 'CardUserKycDecided', data: { ...about, result, decidedAt, profile } }];
    }
    case 'suspend':
      return suspended ? [] : [{ type: 'CardUserSuspended', data: { ...about, by, reason: command.reason } }];
    case 'resume':
      return suspended ? [{ type: 'CardUserResumed', data: { ...about, by } }] : [];
    case 'revoke_tokens':
      return [{ type: 'CardUserTokensRevoked', data: { ...about, by, epoch: epoch + 1 } }];
  }
}

function enrol(user: CardUser | null, command: Enrol): Decision {
  const { userId, network, publicKey, wallets, isInvited, source, hasPlace } = command;
  if (!user && !hasPlace)
    return refuse('too_many_card_users', 'Card holders can enrol again; no further one can now.');
  const about = { userId, network, at: command.metadata.now };
  const known = new Set(user?.wallets.map(({ address }) => address));
  return [
    ...(user
      ? []
      : [
          {
            type: 'CardUserEnrolled' as const,
            data: { ...about, publicKey, invited: isInvited, source },
          },
        ]),
    ...(user && !user.invited && isInvited ? [{ type: 'CardUserInvited' as const, data: about }] : []),
    ...wallets
      .filter(({ address }) => !known.has(address))
      .map(wallet => ({ type: 'CardUserWalletConnected' as const, data: { ...about, ...wallet } })),
  ];
}

interface About {
  readonly userId: string;
  readonly network: TonNetwork;
  readonly at: string;
}

function requestCode(user: CardUser, { kind, contact }: RequestCode, about: About): Decision {
  const refusal = whyNoStep(user);
  if (refusal) return refusal;
  if (user[kind]) return refuse('card_step_done', `The ${NAMES[kind]} is confirmed.`);
  const since = Date.parse(about.at) - DAY_MS;
  if (user.codesAt.filter(at => Date.parse(at) > since).length >= MAX_CODES_PER_DAY)
    return refuse('too_many_card_codes', `At most ${MAX_CODES_PER_DAY} codes may be asked for within a day.`);
  const expiresAt = new Date(Date.parse(about.at) + CODE_VALID_MS).toISOString();
  const codeId = user.codeId + 1;
  return [{ type: 'CardUserCodeRequested', data: { ...about, kind, codeId, contact, expiresAt } }];
}

const NAMES: Readonly<Record<CardContactKind, string>> = { phone: 'phone number', email: 'e-mail address' };

function confirmCode(user: CardUser, { kind, codeId, isRight }: ConfirmCode, about: About): Decision {
  const refusal = whyNoStep(user);
  if (refusal) return refusal;
  const { code } = user;
  if (user[kind]) return [];
  const isPending =
    code?.kind === kind &&
    code.codeId === codeId &&
    code.failures < MAX_FAILURES &&
    Date.parse(about.at) < Date.parse(code.expiresAt);
  if (!isPending) return refuse('card_code_expired', 'No code can be confirmed: ask for another one.');
  if (!isRight) return [{ type: 'CardUserCodeFailed', data: { ...about, kind, codeId } }];
  return [{ type: 'CardUserContactConfirmed', data: { ...about, kind, codeId, contact: code.contact } }];
}

/** Who is suspended, or not invited, takes no step. */
function whyNoStep({ suspended, invited }: CardUser): Refusal | null {
  if (suspended) return refuse('card_user_suspended', 'The card holder is suspended.');
  return invited ? null : refuse('card_step_missing', 'The card service needs an invitation.');
}

function startKyc(user: CardUser, about: About): Decision {
  const refusal = whyNoStep(user);
  if (refusal) return refusal;
  if (!user.phone || !user.email)
    return refuse('card_step_missing', `Before the identification: ${cardUserState(user)}.`);
  if (user.kyc.startedAt !== null || user.kyc.result === 'GREEN') return [];
  return [{ type: 'CardUserKycStarted', data: about }];
}

/** In any order decisions end the same: the latest, and of two at once that against the user. */
function isNewer({ result, decidedAt }: CardUser['kyc'], next: DecideKyc): boolean {
  if (decidedAt === null) return true;
  const later = Date.parse(next.decidedAt) - Date.parse(decidedAt);
  return later > 0 || (later === 0 && next.result === 'RED' && result === 'GREEN');
}
