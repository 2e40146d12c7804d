import type { CommandMetadata } from '../../../contracts/decider';
import { settlementStream } from '../../../contracts/events/settlement';
import type { EncryptedText } from '../../../contracts/text/personal-text';
import { Problem } from '../../../contracts/problem/problem';
import { getSettlement, SETTLEMENTS } from '../../../projections/billing/settlements';
import { unwrap } from '../unwrap';
import { waitUntilFolded } from '../../commands/wait-until-folded';
import { settlementKind, settlementNotFound, type SettlementCommand } from './decider';
import type { SettlementDeps, SettlementsResult } from './deps';
import { settlementFromStream } from './from-stream';

/** Executes a command on an existing settlement. Its text is encrypted with the key of the actor. */
export async function executeSettlementCommand(
  deps: SettlementDeps,
  settlementId: string,
  text: string | null,
  metadata: CommandMetadata,
  commandOf: (encrypted: EncryptedText | null) => SettlementCommand,
): Promise<SettlementsResult> {
  const merchantId = await merchantOf(deps, settlementId);
  const encrypted = text === null ? null : await deps.texts.encrypt(metadata.actor, text);
  const stream = settlementStream(deps.instanceId, merchantId);
  const { position } = unwrap(await deps.handle(settlementKind, stream, commandOf(encrypted)));
  return { settlements: [await settlementFromStream(deps, merchantId, settlementId, position)], position };
}

/**
 * The merchant of a settlement, which identifies the stream.
 * @throws Problem 404 `settlement_not_found`, 503 when the projection is behind
 */
async function merchantOf({ store, views, waitMs }: SettlementDeps, settlementId: string): Promise<string> {
  const known = await getSettlement(views, settlementId);
  if (known) return known.merchantId;
  await waitUntilFolded(views, [SETTLEMENTS.name], await store.head(), waitMs);
  const found = await getSettlement(views, settlementId);
  if (!found) throw Problem.of(settlementNotFound(settlementId));
  return found.merchantId;
}
