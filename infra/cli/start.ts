import { Command } from 'commander';
import { isLocalIssuer } from '../program/auth';
import type { Config } from '../program/settings';
import { ROLES } from '../program/roles';
import { issueLocalToken } from './token';
import { runUntilStopped } from './run-until-stopped';

export function startCommand(config: () => Config): Command {
  return new Command('start').description('run every role in this process').action(async () => {
    const settings = config();
    await runUntilStopped(settings, ROLES, async ({ url }, logger) => {
      logger.info({ url, docs: `${url}/docs`, devnet: `${url}/devnet` }, 'tidemark is up');
      await greet(settings, url, process.stderr);
    });
  });
}

/** A line to paste, on a terminal only: it has a token that works, and logs are stored and read by others. */
export async function greet(config: Config, url: string, stream: NodeJS.WriteStream): Promise<void> {
  if (!stream.isTTY || !isLocalIssuer(config, 'instance')) return;
  const token = await issueLocalToken(config, {
    issuer: 'instance',
    role: 'finance',
    secure: false,
    ttl: 3_600,
    subject: 'local',
  });
  stream.write(
    [
      '',
      `Tidemark answers at ${url}  (API pages: ${url}/docs, local networks: ${url}/devnet)`,
      'Try, with a finance token of one hour:',
      '',
      `curl -s ${url}/api/instance-admin -H 'Content-Type: application/json' \\`,
      `  -H 'Authorization: Bearer ${token}' -d '{"action":"get_revenue"}'`,
      '',
      '',
    ].join('\n'),
  );
}
