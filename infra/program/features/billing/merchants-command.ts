import { Command } from 'commander';
import { z } from 'zod';
import { identifier, merchantName, slug } from '../../../../contracts/http/billing/fields';
import type { Merchant } from '../../../../services/billing/merchant/decider';
import { listMerchants } from '../../../../services/billing/merchant/lookup';
import { setMerchant } from '../../../../services/billing/merchant/set';
import { createHandle } from '../../../../services/commands/handle';
import type { Config } from '../../../config/settings';
import { parseInput } from '../../commands/parse-input';
import { asOperator } from '../../commands/operator';
import { list, print } from '../../commands/output';
import { withEngines } from '../../commands/with-engines';

const naming = z
  .object({ id: identifier, name: merchantName.optional(), slug: slug.optional() })
  .refine(({ name, slug }) => name !== undefined || slug !== undefined, 'give --name, --slug or both');

/** Names merchants from now on; what was recorded under earlier names stays. */
export function merchantsCommand(config: () => Config): Command {
  return new Command('merchants')
    .description('names and slugs of merchants')
    .addCommand(
      new Command('set')
        .description(
          'set the name of a merchant, until a fee comes with another one; earlier records keep theirs',
        )
        .argument('<id>')
        .option('--name <name>', 'required the first time')
        .option(
          '--slug <slug>',
          'required the first time; a slug that another merchant has ever had is refused',
        )
        .action(async (id: string, flags: { name?: string; slug?: string }, command: Command) => {
          const { id: merchantId, ...named } = parseInput(naming, { ...flags, id });
          const { merchant } = await asOperator(
            config(),
            command,
            { merchantId },
            ({ engines: { store } }, { metadata }) =>
              setMerchant({ store, handle: createHandle({ store }) }, { merchantId, ...named }, metadata()),
          );
          print(merchant, lines([merchant]), command);
        }),
    )
    .addCommand(
      new Command('list')
        .description('show the named merchants and their current names')
        .action(async (_flags: object, command: Command) => {
          const merchants = await withEngines(config(), ({ engines }) => listMerchants(engines.store));
          print({ merchants }, lines(merchants), command);
        }),
    );
}

const lines = (merchants: readonly Merchant[]): string[] =>
  list('merchants named with `tidemark merchants set`; those with fees are shown by `tidemark revenue`', [
    ['MERCHANT', 'SLUG', 'NAME', 'SINCE', 'BY'],
    ...merchants.map(({ merchant_id, name, slug, at, by }) => [merchant_id, slug, name, at, by]),
  ]);
