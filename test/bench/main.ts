import { Command, Option } from 'commander';
import { messageOf } from '../../contracts/text/error-message';
import { benchOptions, benchRows, type Flags } from './bench-rows';
import { ROWS, type RowName } from './rows';

const command = new Command('bench')
  .description('measures the product against the floors of the same run')
  .addOption(new Option('--only <row>', 'only one row').choices(ROWS))
  .action(({ only, ...flags }: Flags & { readonly only?: RowName }) =>
    benchRows(only ? [only] : ROWS, flags),
  );
for (const option of benchOptions()) command.addOption(option);
command.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
