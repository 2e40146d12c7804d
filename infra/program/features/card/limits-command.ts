import { Command } from 'commander';
import { z } from 'zod';
import { cardAccountStream, type CardLimits } from '../../../../contracts/events/card-account';
import { Problem } from '../../../../contracts/problem/problem';
import { cardAccountKind } from '../../../../services/card/account/decider';
import { limitsAt } from '../../../../services/card/account/state';
import { load } from '../../../../services/commands/load';
import type { Config } from '../../../config/settings';
import { decideAsOperator } from '../../commands/operator';
import { print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { withEngines } from '../../commands/with-engines';

const units = z
  .string()
  .regex(/^(0|[1-9]\d{0,29})$/, 'must be an integer of the smallest unit')
  .optional();
const given = z.object({
  accountId: z.uuid('the id of an account, a UUID'),
  onetime: units,
  daily: units,
  monthly: units,
});

/** Shows the limits of an account, or changes those that are given: at once, also to higher ones. */
export function cardLimitsCommand(config: () => Config): Command {
  return new Command('limits')
    .description('show what may be spent from an account, or change it at once')
    .argument('<accountId>')
    .option('--onetime <units>', 'for one purchase, in the smallest unit of the account')
    .option('--daily <units>', 'in a day')
    .option('--monthly <units>', 'in a month')
    .action(async (id: string, flags: object, command: Command) => {
      const { accountId, ...asked } = parseInput(given, { accountId: id, ...flags });
      const before = await limitsOf(config(), accountId);
      const wanted = Object.entries(asked).filter(([, limit]) => limit !== undefined);
      if (wanted.length === 0) {
        print({ accountId, limits: before, changed: false }, [shown(accountId, before)], command);
        return;
      }
      const limits = { ...before, ...Object.fromEntries(wanted) } as CardLimits;
      const { changed } = await decideAsOperator(config(), command, {
        about: { accountId, ...limits },
        kind: cardAccountKind,
        stream: cardAccountStream(accountId),
        given: { type: 'changeLimits', limits, by: 'operator' },
      });
      print({ accountId, limits, changed }, [shown(accountId, limits)], command);
    });
}

/** @throws Problem 404 */
function limitsOf(config: Config, accountId: string): Promise<CardLimits> {
  return withEngines(config, async ({ engines: { store } }) => {
    const account = await load(store, cardAccountKind, cardAccountStream(accountId));
    if (!account) throw new Problem('card_account_not_found', `There is no account ${accountId}.`);
    return limitsAt(account, new Date().toISOString());
  });
}

const shown = (accountId: string, { onetime, daily, monthly }: CardLimits): string =>
  `${accountId}: ${onetime} at once, ${daily} in a day, ${monthly} in a month`;
