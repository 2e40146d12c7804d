import { cardUserStream, type CardContactKind, type KycResult } from '../../../contracts/events/card-user';
import { CARD_CONTACT_CODES } from '../../../contracts/http/card/own-user';
import type { KycProfile } from '../../../contracts/http/card/user';
import type { WithoutMetadata } from '../../../contracts/decider';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import type { CardUser } from '../../../projections/card/fold-user';
import { CARD_USERS } from '../../../projections/card/users';
import type { Handle } from '../../commands/handle';
import type { AnyCall } from '../../http/call';
import { limitAddressAbout } from '../../http/limits';
import { load } from '../../commands/load';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import type { CardDeps } from '../deps';
import type { CardCaller } from '../tokens/caller';
import { cardUserKind, type CardUserCommand } from './decider';

/** A code was asked for. */
export interface RequestedCode {
  readonly expiresAt: string;
  readonly code: string;
}

/** @param contact the number or address @throws Problem 429, and why none can be asked for */
export async function requestContactCode(
  deps: CardDeps,
  { userId }: CardCaller,
  call: Pick<AnyCall, 'appendHeader' | 'ip'>,
  kind: CardContactKind,
  contact: string,
): Promise<RequestedCode> {
  await limitAddressAbout(await deps.limits(), CARD_CONTACT_CODES, deps.codes.subjectOf(contact), call);
  const encrypted = await deps.texts.encrypt(userId, contact);
  const { code } = await change(deps, userId, { type: 'request_code', kind, contact: encrypted });
  return { expiresAt: code!.expiresAt, code: deps.codes.of(userId, code!.codeId) };
}

/** @throws Problem 422 `card_code_wrong`, and why none can be confirmed */
export async function confirmContactCode(
  deps: CardDeps,
  { userId }: CardCaller,
  kind: CardContactKind,
  guess: string,
): Promise<CardUser> {
  const before = await load(deps.store, cardUserKind, cardUserStream(userId));
  const codeId = before?.code?.codeId ?? 0;
  const isRight = deps.codes.isRight(userId, codeId, guess);
  const user = await change(deps, userId, { type: 'confirm_code', kind, codeId, isRight });
  if (user[kind] === null) throw new Problem('card_code_wrong', 'The code is another one.');
  return user;
}

/** @throws Problem why it cannot be started */
export function startKyc(deps: CardDeps, { userId }: CardCaller): Promise<CardUser> {
  return change(deps, userId, { type: 'start_kyc' });
}

interface KycDecision {
  readonly result: KycResult;
  /** When the issuer has decided, RFC 3339 UTC: decisions may arrive in any order. */
  readonly decidedAt: string;
  /** Null when the issuer says nothing of the person. */
  readonly profile: KycProfile | null;
}

/**
 * Records the issuer's decision about a person. The same again, and an earlier one, change nothing.
 * @returns the position, for reads that are to include it
 * @throws Problem 404 `card_user_not_found`
 */
export async function decideKyc(
  {
    handle,
    texts,
    clock,
  }: { readonly handle: Handle; readonly texts: PersonalTexts; readonly clock: () => Date },
  userId: string,
  { result, decidedAt, profile }: KycDecision,
): Promise<Position> {
  const encrypted = profile && (await texts.encrypt(userId, JSON.stringify(profile)));
  const outcome = await handle(cardUserKind, cardUserStream(userId), {
    type: 'decide_kyc',
    result,
    decidedAt,
    profile: encrypted,
    metadata: { now: clock().toISOString(), actor: 'card issuer' },
  });
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  return outcome.position;
}

/** Executes a command of the user, and waits a bounded time until reads include it. @throws Problem */
async function change(
  { handle, views, clock, waitMs }: CardDeps,
  userId: string,
  command: WithoutMetadata<CardUserCommand>,
): Promise<CardUser> {
  const outcome = await handle(cardUserKind, cardUserStream(userId), {
    ...command,
    metadata: { now: clock().toISOString(), actor: userId },
  } as CardUserCommand);
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  await views.waitForPosition(CARD_USERS.name, outcome.position, waitMs).catch(() => false);
  return outcome.state!;
}
