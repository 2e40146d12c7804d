import { Command } from 'commander';
import { erase, type Erased } from '../../services/erasure/erase';
import { listErasures } from '../../services/erasure/list';
import { createHandle } from '../../services/handle';
import type { Config } from '../program/config';
import { openSubjectKeysOf } from '../program/erasure';
import { asOperator } from './operator';
import { print, printEach } from './output';
import { withEngines } from './with-engines';

const SAID: Record<Erased, string> = {
  erased: 'every text sealed for this subject until now is unreadable for good',
  'erased before': 'was erased before, and no text was sealed since',
  nothing: 'no text was ever sealed for this subject',
};

export function eraseCommand(config: () => Config): Command {
  return new Command('erase')
    .description(
      'destroy the key of a subject, so that its personal texts (reasons, references, addresses) can never be read again',
    )
    .argument('<subject>', 'the `sub` of the person, as events and answers name it')
    .option('--yes', 'do it: there is no way back', false)
    .action(async (subject: string, { yes }: { readonly yes: boolean }, command: Command) => {
      if (!yes)
        command.error(`error: this cannot be undone; say --yes to erase the personal texts of ${subject}`);
      const settings = config();
      const result = await asOperator(settings, command, { subject }, async ({ engines }, operator) => {
        const keys = await openSubjectKeysOf(settings, engines);
        const erased = await erase({ keys, handle: createHandle(engines) }, subject, operator.metadata());
        operator.tell({ result: erased });
        return erased;
      });
      print(
        { subject, result },
        [`${subject}: ${SAID[result]}`],
        command.optsWithGlobals<{ json: boolean }>(),
      );
    });
}

export function erasuresCommand(config: () => Config): Command {
  return new Command('erasures')
    .description('whose personal texts were erased, when and by whom; from the oldest on')
    .action((_: object, command: Command) =>
      withEngines(config(), ({ engines }) =>
        printEach(
          listErasures(engines.store),
          ({ at, subject, time, by }) => `${at}  ${subject} (${time}), by ${by}`,
          command.optsWithGlobals<{ json: boolean }>(),
        ),
      ),
    );
}
