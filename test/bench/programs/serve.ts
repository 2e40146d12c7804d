import { readConfig } from '../../../infra/config';
import { createLogger } from '../../../infra/logger';
import { start } from '../../../infra/main';

/** Program: all of Tidemark as `npm start` runs it, under the settings of the environment; tells its URL, and its CPU time when asked. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const running = await start(config, createLogger(config.LOG_LEVEL));
  process.on('message', () => process.send!(process.cpuUsage()));
  process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)));
  process.send!(running.url);
}

void main();
