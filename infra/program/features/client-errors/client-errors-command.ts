import { counted } from '../../../../contracts/text/counted';
import { Command } from 'commander';
import { z } from 'zod';
import { openClientErrors, type ClientError } from '../../../../services/client-errors/store';
import type { Config } from '../../../config/settings';
import { asOperator } from '../../commands/operator';
import { list, print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { UsageError } from '../../commands/usage-error';
import { withEngines, type Tools } from '../../commands/with-engines';
import { writtenNumber } from '../../../../contracts/text/written-number';

/** Commands add no errors, so that no limit concerns them. */
const openStore = ({ engines }: Tools) => openClientErrors(engines.vault, Infinity);

export function clientErrorsCommand(config: () => Config): Command {
  return new Command('client-errors')
    .description('errors that wallets have reported, with secrets and personal data removed')
    .addCommand(listCommand(config))
    .addCommand(eraseCommand(config));
}

const listInput = z.object({ limit: writtenNumber.int().min(1).max(10_000) });

const listCommand = (config: () => Config): Command =>
  new Command('list')
    .description('list the most frequent errors; --json adds the first and the latest report of each')
    .option('--limit <number>', 'how many', '50')
    .action(async (flags: { readonly limit: string }, command: Command) => {
      const { limit } = parseInput(listInput, flags);
      const found = await withEngines(config(), async tools => (await openStore(tools)).list(limit));
      const rows = found.errors.map(error => [
        error.fingerprint,
        String(error.count),
        error.lastAt,
        versionsOf(error),
        error.message.split('\n', 1)[0]!,
      ]);
      print(
        found,
        [
          ...list('errors', [['ERROR', 'COUNT', 'LAST', 'VERSIONS', 'MESSAGE'], ...rows]),
          ...(found.other > 0 ? [`${counted(found.other, 'report')} of further errors`] : []),
        ],
        command,
      );
    });

const versionsOf = ({ versions }: ClientError): string =>
  versions
    .map(({ platform, appVersion }) => [platform, appVersion].filter(Boolean).join(' ') || 'unknown')
    .join(', ');

const eraseInput = z.object({
  errors: z
    .array(z.string().regex(/^[\w-]{24}$/, 'must be an error, as `tidemark client-errors list` names it'))
    .max(1_000),
});

interface EraseFlags {
  readonly all: boolean;
  readonly yes: boolean;
}

const eraseCommand = (config: () => Config): Command =>
  new Command('erase')
    .description('erase errors from the disk, including counts that are not stored yet')
    .argument('[errors...]', 'as `tidemark client-errors list` names them')
    .option('--all', 'all of them', false)
    .option('--yes', 'confirm: this cannot be undone', false)
    .action(async (given: string[], { all, yes }: EraseFlags, command: Command) => {
      if (all === given.length > 0) throw new UsageError('name the errors, or use --all');
      const { errors } = parseInput(eraseInput, { errors: given });
      if (!yes) throw new UsageError('this cannot be undone; use --yes to erase them');
      const erased = await asOperator(config(), command, {}, async (tools, { addSubject }) => {
        const store = await openStore(tools);
        const count = await store.erase(all ? null : errors, new Date().toISOString());
        addSubject({ errors: String(count) });
        return count;
      });
      if (erased === 0 && !all)
        throw new Error(
          `${errors.join(', ')}: not among the stored errors; what was not stored yet is erased`,
        );
      print({ erased }, [all && erased === 0 ? 'no errors' : `erased: ${erased}`], command);
    });
