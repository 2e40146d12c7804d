import { resolve } from 'node:path';
import { Command } from 'commander';
import { networkName, NETWORKS } from '../../contracts/network/network';
import { isLocalIssuer } from '../program/auth/auth';
import { networksOf } from '../config/network-settings';
import type { Config } from '../config/settings';
import { FEATURES, ROLES } from '../program/features';
import {
  demonstrate,
  demonstrationLines,
  describeDemonstration,
} from '../program/features/billing/demo-command';
import { withEventStore } from '../program/commands/with-event-store';
import { assertMayDemonstrate, firstFee } from '../program/features/billing/demo/record';
import { issueLocalToken } from '../program/commands/local-token';
import { resetLine } from '../program/commands/reset-line';
import { announce } from './announce';
import { runUntilStopped } from './run-until-stopped';

export function startCommand(config: () => Config): Command {
  return new Command('start')
    .description('run every role in this process')
    .option('--demo', 'record demonstration data first, where no other fees are: see tidemark demo', false)
    .action(async ({ demo }: { readonly demo: boolean }) => {
      const settings = config();
      if (demo) await withEventStore(settings, store => assertMayDemonstrate(store, resetLine(settings)));
      await runUntilStopped(settings, ROLES, async ({ url, checkHealth }, logger) => {
        const devnet = networksOf(settings, 'local').length > 0 && { devnet: `${url}/devnet` };
        const dataDir = resolve(settings.DATA_DIR);
        const pages = { docs: `${url}/docs`, console: `${url}/console`, ...devnet };
        await announce({ url, ...pages, dataDir }, checkHealth, logger);
        if (demo) logger.info(describeDemonstration(await demonstrate(settings, url)));
        await greet(settings, url, process.stderr, demo);
      });
    });
}

/**
 * What runs and how to use it, on a terminal only: it has a token that works, and logs are stored and read by others.
 * @param isDemo whether the ledger has a demonstration
 */
export async function greet(
  config: Config,
  url: string,
  stream: NodeJS.WriteStream,
  isDemo = false,
): Promise<void> {
  if (!stream.isTTY || !isLocalIssuer(config, 'instance')) return;
  const token = await issueLocalToken(config, {
    issuer: 'instance',
    role: 'finance',
    secure: false,
    ttl: 3_600,
    subject: 'local',
  });
  const hasNoFee = await withEventStore(config, async store => (await firstFee(store)) === null);
  const at = { url, token, isEmpty: hasNoFee === true };
  const [local, off] = (['local', 'off'] as const).map(mode => networksOf(config, mode).map(networkName));
  stream.write(
    [
      '',
      `Tidemark runs: API, ${off!.length < NETWORKS.length ? 'indexers, ' : ''}projections, jobs; data in ${config.DATA_DIR}`,
      `  API pages       ${url}/docs`,
      `  console         ${url}/console`,
      `  health          ${url}/health/ready`,
      ...(local!.length > 0
        ? [`  local networks  ${url}/devnet (${local!.join(', ')}: nothing there has any value)`]
        : []),
      ...(off!.length > 0 ? [`  off             ${off!.join(', ')}`] : []),
      ...(isDemo ? demonstrationLines(config) : []),
      '',
      ...FEATURES.all.flatMap(({ firstCalls }) => firstCalls?.(config, at) ?? []),
      '',
      '',
    ].join('\n'),
  );
}
