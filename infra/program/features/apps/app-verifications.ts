import { Command } from 'commander';
import { z } from 'zod';
import { appVerificationStream } from '../../../../contracts/events/app-verification';
import { applicationUrl as url } from '../../../../contracts/http/catalog/apps';
import { visibleLine } from '../../../../contracts/text/visible-text';
import { appVerificationKind, type VerifyApp } from '../../../../services/apps/verification/decider';
import { listVerifiedApps } from '../../../../services/apps/verification/list';
import type { Config } from '../../../config/settings';
import { decideAsOperator } from '../../commands/operator';
import { list, print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { withEngines } from '../../commands/with-engines';

const decision = z.object({ url, reason: visibleLine(200).optional() });

/** `verify` and `unverify`: `verified` of `GET /apps/catalog`. */
export function verifyingAppCommand(config: () => Config, type: VerifyApp['type']): Command {
  return new Command(type)
    .description(
      type === 'verify' ? 'show an application as verified' : 'remove the verified mark from an application',
    )
    .argument('<url>', 'of the application')
    .option('--reason <text>', 'why; do not name people')
    .action(async (text: string, flags: { reason?: string }, command: Command) => {
      const { url, reason } = parseInput(decision, { ...flags, url: text });
      const { changed } = await decideAsOperator(config(), command, {
        about: { url },
        kind: appVerificationKind,
        stream: appVerificationStream(url),
        given: { type, url, reason: reason ?? null },
      });
      const done = type === 'verify' ? 'verified' : 'unverified';
      const unchanged = type === 'verify' ? 'was verified already' : 'was not verified';
      print({ url, changed }, [`${url}: ${changed ? done : unchanged}`], command);
    });
}

export function verifiedAppsCommand(config: () => Config): Command {
  return new Command('verified')
    .description('list the verified applications, and who verified them')
    .action(async (_flags: object, command: Command) => {
      const apps = await withEngines(config(), ({ engines }) => listVerifiedApps(engines.store));
      const rows = apps.map(({ url, at, by, reason }) => [url, at, by, reason ?? '']);
      print({ apps }, list('applications', [['APPLICATION', 'SINCE', 'BY', 'REASON'], ...rows]), command);
    });
}
