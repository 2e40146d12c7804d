import type { CommandMetadata } from '../../../contracts/decider';
import { settlementStream } from '../../../contracts/events/settlement';
import type { EncryptedText } from '../../../contracts/personal-text';
import { unwrap } from '../unwrap';
import { settlementKind, type SettlementCommand } from './decider';
import type { SettlementDeps, SettlementsResult } from './deps';
import { merchantOf } from './find';
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
