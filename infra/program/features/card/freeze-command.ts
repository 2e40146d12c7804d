import { Command } from 'commander';
import { z } from 'zod';
import { cardStream } from '../../../../contracts/events/card';
import { cardStatus } from '../../../../projections/card/card-state';
import { cardKind } from '../../../../services/card/card/decider';
import type { Config } from '../../../config/settings';
import { decideAsOperator } from '../../commands/operator';
import { print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';

const given = z.object({ cardId: z.uuid('the id of a card, a UUID') });

/** Freezes a card, or makes it usable again, no matter who has frozen it. */
export function cardFreezeCommand(config: () => Config, type: 'freeze' | 'unfreeze'): Command {
  return new Command(type)
    .description(
      type === 'freeze'
        ? 'freeze a card: no purchase is authorised, and its holder cannot undo it'
        : 'make a frozen card usable again, once the issuer has agreed',
    )
    .argument('<cardId>')
    .action(async (id: string, _: object, command: Command) => {
      const { cardId } = parseInput(given, { cardId: id });
      const { state, changed } = await decideAsOperator(config(), command, {
        about: { cardId },
        kind: cardKind,
        stream: cardStream(cardId),
        given: { type, by: 'operator', reason: 'by an operator', occurredAt: new Date().toISOString() },
      });
      const status = cardStatus(state!);
      print({ cardId, status, changed }, [`${cardId}: ${changed ? '' : 'is the same, '}${status}`], command);
    });
}
