import { counted } from '../../../../contracts/text/counted';
import { Command } from 'commander';
import type { Config } from '../../../config/settings';
import { recordDemonstration, type Demonstration } from './demo/record';
import { print } from '../../commands/output';
import { dataDirPrefix, resetLine } from '../../commands/reset-line';
import { askProgram, notRunning } from '../../commands/running-program';
import { assertIdentityOfStore } from '../../identity';
import { issueLocalToken } from '../../commands/local-token';

/** Records a demonstration in the program at a URL. @returns null where it has been recorded before */
export async function demonstrate(config: Config, url: string): Promise<Demonstration | null> {
  const token = await issueLocalToken(config, {
    issuer: 'instance',
    role: 'admin',
    secure: true,
    ttl: 600,
    subject: 'demonstration',
  });
  return recordDemonstration({ url, token, reset: resetLine(config) }, new Date());
}

export function describeDemonstration(recorded: Demonstration | null): string {
  if (!recorded) return 'the ledger has the demonstration already';
  const { fees, months, merchants, invoice, settlements } = recorded;
  return `demonstration recorded: ${counted(fees, 'fee')} of ${counted(merchants.length, 'merchant')} in ${months.join(' and ')}, invoice ${invoice}, the draft of another, ${counted(settlements, 'settlement')}`;
}

/** Of the greeting of a program whose ledger has a demonstration. */
export function demonstrationLines(config: Config): readonly string[] {
  return [
    '  demonstration   all merchants named “Demonstration: …”, with their fees, invoices and settlements: nobody owes any of it',
    `                  for an empty ledger stop the program, and: ${resetLine(config)} && ${dataDirPrefix(config)}npm start`,
  ];
}

export function demoCommand(config: () => Config): Command {
  return new Command('demo')
    .description(
      'record merchants, fees of the last two months, an invoice of each and the settlements of the first in the running program, whose ledger must have ' +
        'no other fees; all of it says that it is a demonstration',
    )
    .action(async (_options: unknown, command: Command) => {
      const settings = config();
      await assertIdentityOfStore(settings);
      const program = await askProgram(settings);
      if (!program.running) throw new Error(`${notRunning(program)}; tidemark start runs one`);
      const recorded = await demonstrate(settings, program.url);
      print({ recorded }, [describeDemonstration(recorded)], command);
    });
}
