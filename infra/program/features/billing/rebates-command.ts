import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { z } from 'zod';
import { rebateTiers, type RebateTier } from '../../../../contracts/money/rebate-tiers';
import type { RebateRule } from '../../../../services/billing/rebate/rule';
import { rebateRule, setRebateRule } from '../../../../services/billing/rebate/set-rule';
import { createHandle } from '../../../../services/commands/handle';
import type { Config } from '../../../config/settings';
import { UsageError } from '../../commands/usage-error';
import { DESCRIBED } from '../../../../contracts/problem/describe-issue';
import { readJson } from '../../commands/read-json';
import { asOperator } from '../../commands/operator';
import { print, table } from '../../commands/output';
import { withEngines } from '../../commands/with-engines';

const ruleFile = z.strictObject({ tiers: rebateTiers });

interface SetFlags {
  /** `from:rate` */
  readonly tier?: readonly string[];
}

export function rebatesCommand(config: () => Config): Command {
  return new Command('rebates')
    .description('rebates: the share of their fees that merchants get back')
    .addCommand(
      new Command('rule')
        .description('the rebate rule: tiers of collected fees in a month, each with its rate')
        .addCommand(setCommand(config))
        .addCommand(showCommand(config)),
    );
}

const setCommand = (config: () => Config): Command =>
  new Command('set')
    .description(
      'set the tiers for future settlements; the rate of the highest tier that a month reaches applies to all its fees',
    )
    .argument(
      '[file]',
      'JSON: {"tiers": [{"from": "1000", "rate": "0.05"}, ...]}; - reads the standard input',
    )
    .option('--tier <from:rate...>', 'instead of a file, such as 1000:0.05; in ascending order')
    .action(async (file: string | undefined, { tier }: SetFlags, command: Command) => {
      if (file === undefined && tier === undefined) command.error('error: a file or --tier is required');
      if (file !== undefined && tier !== undefined)
        command.error('error: a file and --tier exclude each other');
      const tiers = file === undefined ? tiersOf(tier ?? []) : (await readJson(file, ruleFile)).tiers;
      const settings = config();
      const { shown, changed } = await asOperator(
        settings,
        command,
        {},
        async ({ engines }, { metadata, addSubject }) => {
          const deps = {
            handle: createHandle(engines),
            instanceId: settings.INSTANCE_ID,
            newId: randomUUID,
          };
          const { rule, changed } = await setRebateRule(deps, tiers, metadata());
          const shown = inForce(rule);
          addSubject({
            ruleId: shown.ruleId,
            version: String(shown.version),
            changed: String(changed),
          });
          return { shown, changed };
        },
      );
      print(
        { ...shown, changed },
        [changed ? `version ${shown.version} is in force` : `version ${shown.version} is the same`],
        command,
      );
    });

const showCommand = (config: () => Config): Command =>
  new Command('show')
    .description('show the tiers in force')
    .action(async (_flags: object, command: Command) => {
      const settings = config();
      const rule = await withEngines(settings, ({ engines }) =>
        rebateRule(engines.store, settings.INSTANCE_ID),
      );
      const shown = rule && inForce(rule);
      print(shown, shown ? lines(shown) : ['no rebate rule'], command);
    });

interface Shown {
  readonly ruleId: string;
  readonly version: number;
  readonly tiers: readonly RebateTier[];
  readonly setAt: string;
  readonly setBy: string;
}

const inForce = ({ ruleId, versions }: RebateRule): Shown => ({
  ruleId,
  version: versions.length,
  ...versions.at(-1)!,
});

const lines = ({ version, tiers, setAt, setBy }: Shown): string[] => [
  `version ${version}, set ${setAt} by ${setBy}`,
  ...table([['FROM', 'RATE'], ...tiers.map(({ from, rate }) => [from, rate])]),
];

/** @throws UsageError that repeats what was typed */
function tiersOf(given: readonly string[]): RebateTier[] {
  const tiers = given.map(text => {
    const [from, rate, ...more] = text.split(':');
    if (rate === undefined || more.length > 0)
      throw new UsageError(`--tier ${text}: must be <from>:<rate>, such as 1000:0.05`);
    return { from, rate };
  });
  const read = rebateTiers.safeParse(tiers, DESCRIBED);
  if (read.success) return read.data;
  throw new UsageError(
    read.error.issues
      .map(({ path: [index, field], message }) =>
        index === undefined
          ? `--tier: ${message}`
          : `--tier ${given[Number(index)]}: ${field === undefined ? '' : `${String(field)}: `}${message}`,
      )
      .join('\n'),
  );
}
