import { Command } from 'commander';
import { isLocalIssuer } from '../auth';
import type { Config } from '../config';
import { createLogger } from '../logger';
import { start } from '../main';
import { issueLocalToken } from './token';

/** Milliseconds after which a drain that hangs is cut short. */
const LONGEST_DRAIN = 15_000;

export const startCommand = (config: () => Config): Command =>
  new Command('start').description('run every role in this process').action(async () => {
    const settings = config();
    const logger = createLogger(settings.LOG_LEVEL);
    // Listening before anything is open: a stop asked for while it starts is as clean as any other.
    const stop = new Promise<void>(resolve => {
      process.once('SIGTERM', resolve);
      process.once('SIGINT', resolve);
    });
    const running = await start(settings, logger);
    logger.info(
      { url: running.url, docs: `${running.url}/docs`, devnet: `${running.url}/devnet` },
      'tidemark is up',
    );
    await greet(settings, running.url);

    await Promise.race([stop, running.failed]).finally(async () => {
      setTimeout(() => process.exit(1), LONGEST_DRAIN).unref();
      await running.stop();
    });
    process.exit(0);
  });

/** A line to paste, for people at a terminal; logs go on being JSON. */
async function greet(config: Config, url: string): Promise<void> {
  if (!isLocalIssuer(config, 'instance')) return;
  const token = await issueLocalToken(config, {
    issuer: 'instance',
    role: 'finance',
    secure: false,
    ttl: 3_600,
    subject: 'local',
  });
  process.stderr.write(
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
