import { parseTonAddress } from '../../../../contracts/account/address';
import { CARD_CONTACT_KINDS, cardUserId, cardUserStream } from '../../../../contracts/events/card-user';
import { cardTokenStream } from '../../../../contracts/events/card-token';
import { EXAMPLE_CARD_TOKEN, EXAMPLE_NEW_CARD_TOKEN } from '../../../../contracts/http/card/mount';
import type { WithoutMetadata } from '../../../../contracts/decider';
import { LOCAL } from '../../../../contracts/http/local-accounts';
import { cardTokenKind } from '../../../../services/card/tokens/decider';
import { digestOfToken } from '../../../../services/card/tokens/digest';
import { decideKyc } from '../../../../services/card/user/commands';
import { cardUserKind, type CardUserCommand } from '../../../../services/card/user/decider';
import { load } from '../../../../services/commands/load';
import type { ProgramDeps, Worker } from '../../feature';
import { personalTexts } from '../../personal-texts';
import { LOCAL_NETWORK, localMetadata, recordingLocally } from './local-network';

const network = LOCAL_NETWORK;

const CONTACTS = { phone: '+4930123456', email: 'alice@example.com' } as const;
const PROFILE = { firstName: 'Alice', lastName: 'Example', country: 'DE' };

/**
 * Card holders of the local network, so that the examples of endpoints have something to show: Alice, who has done all steps,
 * and Bob, who has enrolled. Their tokens are known to everybody, as their keys are.
 */
async function enrolLocalHolders(deps: ProgramDeps): Promise<void> {
  const alice = await enrol(deps, LOCAL.aliceKey, LOCAL.alice, EXAMPLE_CARD_TOKEN);
  await enrol(deps, LOCAL.bobKey, LOCAL.bob, EXAMPLE_NEW_CARD_TOKEN);
  const user = await load(deps.engines.store, cardUserKind, cardUserStream(alice));
  const texts = await deps.use(personalTexts);
  for (const kind of CARD_CONTACT_KINDS) {
    if (user?.[kind]) continue;
    const contact = await texts.encrypt(alice, CONTACTS[kind]);
    await decide(deps, alice, { type: 'request_code', kind, contact });
    const { code } = (await load(deps.engines.store, cardUserKind, cardUserStream(alice)))!;
    await decide(deps, alice, { type: 'confirm_code', kind, codeId: code!.codeId, isRight: true });
  }
  if (user?.kyc.decidedAt) return;
  const decidedAt = deps.clock().toISOString();
  await decideKyc({ ...deps, texts }, alice, { result: 'GREEN', decidedAt, profile: PROFILE });
}

/** @returns the id of the user */
async function enrol(deps: ProgramDeps, publicKey: string, address: string, token: string): Promise<string> {
  const userId = cardUserId(network, publicKey);
  await decide(deps, userId, {
    type: 'enrol',
    userId,
    network,
    publicKey,
    isInvited: true,
    source: 'local network',
    hasPlace: true,
    wallets: [{ chain: 'ton', address: parseTonAddress(address)!.raw, version: 'v5r1' }],
  });
  const digest = digestOfToken(token);
  if (await load(deps.engines.store, cardTokenKind, cardTokenStream(digest))) return userId;
  await deps.handle(cardTokenKind, cardTokenStream(digest), {
    type: 'issue',
    digest,
    userId,
    network,
    epoch: 0,
    source: 'local network',
    metadata: localMetadata(deps),
  });
  return userId;
}

async function decide(
  deps: ProgramDeps,
  userId: string,
  command: WithoutMetadata<CardUserCommand>,
): Promise<void> {
  const given = { ...command, metadata: localMetadata(deps) } as CardUserCommand;
  await deps.handle(cardUserKind, cardUserStream(userId), given);
}

export const localCardHolders: Worker = recordingLocally(
  enrolLocalHolders,
  'local card holders could not be enrolled',
);
