import type { Config } from '../../../config/settings';
import { Command, InvalidArgumentError } from 'commander';
import { isDay, type Day } from '../../../../contracts/time/billing-period';
import { counted } from '../../../../contracts/text/counted';
import { readAuditTrail, type AuditLine } from '../../../../services/audit/read';
import { openPersonalTexts } from '../../personal-texts';
import { printTable } from '../../commands/output';
import { withEngines } from '../../commands/with-engines';

interface AuditFlags {
  readonly from?: Day;
  readonly to?: Day;
  readonly actor?: string;
  readonly action?: string;
}

const day = (text: string): Day => {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('A day, YYYY-MM-DD.');
};

export function auditCommand(config: () => Config): Command {
  return new Command('audit')
    .description('list the actions of the billing administration and their outcome, oldest first')
    .option('--from <day>', 'first day, in UTC', day)
    .option('--to <day>', 'last day, in UTC', day)
    .option('--actor <subject>', 'only those of one caller: the `sub` of a token, or cli:<user>')
    .option('--action <action>', 'only one action, such as void_invoice or "settlements void"')
    .action(async (flags: AuditFlags, command: Command) => {
      const settings = config();
      const today = new Date().toISOString().slice(0, 10);
      if (flags.from !== undefined && flags.to !== undefined && flags.from > flags.to)
        command.error('error: --from must not be after --to');
      const query = { ...flags, ...(flags.from !== undefined && { to: flags.to ?? today }) };
      await withEngines(settings, async ({ engines }) => {
        const texts = await openPersonalTexts(settings, engines);
        const lines = readAuditTrail({ store: engines.store, texts }, settings.INSTANCE_ID, query);
        await printTable('actions', lines, HEADER, rowOf, command);
      });
    });
}

const HEADER = ['AT', 'OUTCOME', 'ACTION', 'BY', 'FROM', 'SECURE SESSION', 'ABOUT', 'REQUEST'];

function rowOf(line: AuditLine): string[] {
  const { at, actor, action, code } = line;
  const came = (result: string | number): string => (code === null ? String(result) : `${result} ${code}`);
  if (line.kind === 'command') {
    const { outcome, about, requestId } = line;
    return [at, came(outcome), line.action, line.actor, '', '', describeFields(about), requestId];
  }
  const who = [action ?? '', actor ?? '', line.address ?? 'erased'];
  if (line.kind === 'counted')
    return [at, `${came(line.status ?? 'refused')}, ${counted(line.count, 'time')}`, ...who];
  const { outcome, status, replayed, session, about, requestId } = line;
  const result = status < 400 && outcome !== 'ok' ? `${status} ${outcome}` : came(status);
  return [
    at,
    `${result}${replayed ? ' (replayed)' : ''}`,
    ...who,
    session.age === null ? 'none' : `${session.age} s`,
    describeFields(about),
    requestId,
  ];
}

const describeFields = (about: Readonly<Record<string, string>>): string =>
  Object.entries(about)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
