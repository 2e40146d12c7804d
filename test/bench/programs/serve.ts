import { readConfig } from '../../../infra/program/config';
import { openEngines, type Engines } from '../../../infra/engines/engines';
import { createLogger } from '../../../infra/program/logger';
import { start } from '../../../infra/program/main';
import { ROLES } from '../../../infra/program/roles';

/** Engines whose documents appear changed at every query. */
async function withoutCaching(...how: Parameters<typeof openEngines>): Promise<Engines> {
  const engines = await openEngines(...how);
  let changes = 0;
  return { ...engines, documents: { ...engines.documents, version: () => String((changes += 1)) } };
}

/**
 * Program: all of Tidemark as `npm start` runs it, under the settings of the environment; reports its URL, and its CPU
 * time or memory on request. With the argument `changing` no answer is cached.
 */
async function main(manner: string | undefined): Promise<void> {
  const config = readConfig(process.env);
  const open = manner === 'changing' ? withoutCaching : openEngines;
  const running = await start(config, createLogger(config.LOG_LEVEL), ROLES, open);
  process.on('message', (request: 'cpu' | 'memory') =>
    process.send!(request === 'memory' ? process.memoryUsage.rss() : process.cpuUsage()),
  );
  process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)));
  process.send!(running.url);
}

void main(process.argv[2]);
