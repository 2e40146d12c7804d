import type { CommandMetadata } from '../../../contracts/decider';
import { settlementStream } from '../../../contracts/events/settlement';
import type { Sealed } from '../../../contracts/personal-text';
import { accepted } from '../accepted';
import { settlementKind, type SettlementCommand } from './decider';
import type { SettlementDeps, SettlementsDone } from './deps';
import { merchantOf } from './find';
import { settlementFromStream } from './view';

/** Carries out a command about a settlement that there is. What somebody wrote with it is sealed as theirs. */
export async function carryOut(
  deps: SettlementDeps,
  settlementId: string,
  text: string | null,
  metadata: CommandMetadata,
  commandOf: (sealed: Sealed | null) => SettlementCommand,
): Promise<SettlementsDone> {
  const merchantId = await merchantOf(deps, settlementId);
  const sealed = text === null ? null : await deps.texts.seal(metadata.actor, text);
  const stream = settlementStream(deps.instanceId, merchantId);
  const { position } = accepted(await deps.handle(settlementKind, stream, commandOf(sealed)));
  return { settlements: [await settlementFromStream(deps, merchantId, settlementId, position)], position };
}
