import { cardProofStream } from '../../../contracts/events/card-proof';
import { cardUserId, cardUserStream } from '../../../contracts/events/card-user';
import type { connectCardWallet } from '../../../contracts/http/card/enrolment';
import type { TonNetwork } from '../../../contracts/network/network';
import { Problem } from '../../../contracts/problem/problem';
import { CARD_TOKENS } from '../../../projections/card/tokens';
import { CARD_USERS } from '../../../projections/card/users';
import type { z } from 'zod';
import { placeOf, RETRY_PLACE_AFTER } from '../../callers/caller-place';
import type { CardDeps } from '../deps';
import { issueCardToken } from '../tokens/issue';
import { cardUserKind } from '../user/decider';
import { cardProofKind } from './proof-decider';
import { verifyProofs, type Proven } from './verify-proofs';

type Body = z.output<NonNullable<typeof connectCardWallet.body>>;

interface Caller {
  readonly network: TonNetwork;
  readonly domains: readonly string[];
  readonly ip: string;
}

/**
 * Enrols the owner of the key, who may be enrolled, and issues another token. The proofs are used up by it.
 * @returns the token, which is nowhere else
 * @throws Problem 400, 403 of wrong proofs, 409 `signature_reused`, 429 where there is no place for one more
 */
export async function enrolCardUser(deps: CardDeps, body: Body, caller: Caller): Promise<string> {
  const { handle, clock } = deps;
  const { network, domains, ip } = caller;
  const proven = verifyProofs(body, { network, domains, now: clock() });
  const ofUsers = await placeOf(deps, CARD_USERS.name, deps.maxUsers, ip);
  const ofTokens = await placeOf(deps, CARD_TOKENS.name, deps.maxTokens, ip);
  if (!ofTokens.hasPlace)
    throw new Problem('too_many_card_tokens', 'No further token is issued there today.', {
      retryAfter: RETRY_PLACE_AFTER,
    });
  await useProofs(deps, network, proven);

  const userId = cardUserId(network, proven.publicKey);
  const outcome = await handle(cardUserKind, cardUserStream(userId), {
    type: 'enrol',
    userId,
    network,
    publicKey: proven.publicKey,
    wallets: proven.wallets,
    isInvited: isInvited(deps, body),
    ...ofUsers,
    metadata: { now: clock().toISOString(), actor: userId },
  });
  if (outcome.refusal) throw refused(outcome.refusal);
  const { epoch } = outcome.state!;
  return issueCardToken(deps, { userId, network, epoch, source: ofTokens.source }, outcome.position);
}

/** Each of the signatures once, on any network. */
async function useProofs(
  { handle, clock }: CardDeps,
  network: TonNetwork,
  { proofs }: Proven,
): Promise<void> {
  for (const { digest, signedAt } of proofs) {
    const { refusal } = await handle(cardProofKind, cardProofStream(digest), {
      type: 'use',
      digest,
      network,
      signedAt,
      metadata: { now: clock().toISOString(), actor: 'card enrolment' },
    });
    if (refusal) throw Problem.of(refusal);
  }
}

/** Everybody is where no invitations are set. */
function isInvited({ invitations }: CardDeps, body: Body): boolean {
  if (invitations.length === 0) return true;
  const { inviteId, invitationId } = Array.isArray(body) ? body[0] : body;
  return [inviteId, invitationId].some(id => id !== undefined && invitations.includes(id));
}

const refused = ({ code, detail }: { readonly code: Problem['code']; readonly detail: string }): Problem =>
  new Problem(code, detail, { retryAfter: RETRY_PLACE_AFTER });
