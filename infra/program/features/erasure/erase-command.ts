import type { Config } from '../../../config/settings';
import { Command } from 'commander';
import { erase, type ErasureOutcome } from '../../../../services/erasure/erase';
import { listErasures } from '../../../../services/erasure/list';
import { createHandle } from '../../../../services/commands/handle';
import { openSubjectKeysOf } from '../../personal-texts';
import { asOperator, type Operator } from '../../commands/operator';
import { print, printTable } from '../../commands/output';
import { withEngines, type Tools } from '../../commands/with-engines';

const DESCRIPTIONS: Record<ErasureOutcome, string> = {
  erased: 'every text encrypted for this subject until now is permanently unreadable',
  erased_before: 'was erased before; nothing has been encrypted since',
  nothing_to_erase: 'no text is encrypted for this subject, and none was erased',
};

export function eraseCommand(config: () => Config): Command {
  return new Command('erase')
    .description(
      "destroy a person's key, so that personal text they gave (reasons, references, addresses) can never be read again",
    )
    .argument('<subject>', 'of the person: the `sub` of their tokens')
    .option('--yes', 'confirm: this cannot be undone', false)
    .action(async (subject: string, { yes }: { readonly yes: boolean }, command: Command) => {
      if (!yes)
        command.error(`error: this cannot be undone; use --yes to erase the personal texts of ${subject}`);
      const settings = config();
      const erasing = async ({ engines }: Tools, operator: Operator): Promise<ErasureOutcome> => {
        const keys = await openSubjectKeysOf(settings, engines);
        const erased = await erase({ keys, handle: createHandle(engines) }, subject, operator.metadata());
        operator.addSubject({ result: erased });
        return erased;
      };
      const isRefused = (erased: ErasureOutcome): boolean => erased === 'nothing_to_erase';
      const result = await asOperator(settings, command, { subject }, erasing, { isRefused });
      if (result === 'nothing_to_erase') throw new Error(`${subject}: ${DESCRIPTIONS[result]}`);
      print({ subject, result }, [`${subject}: ${DESCRIPTIONS[result]}`], command);
    });
}

export function erasuresCommand(config: () => Config): Command {
  return new Command('erasures')
    .description('list erasures, oldest first')
    .action((_: object, command: Command) =>
      withEngines(config(), ({ engines }) =>
        printTable(
          'erasures',
          listErasures(engines.store),
          ['AT', 'SUBJECT', 'TIMES', 'BY'],
          ({ at, subject, times, by }) => [at, subject, String(times), by],
          command,
        ),
      ),
    );
}
