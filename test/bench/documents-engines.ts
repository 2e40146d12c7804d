import { createLogger } from '../../infra/config/logger';
import { type Engines, openEmbeddedEngines, openEngines } from '../../infra/engines/engines';
import type { Config } from '../../infra/config/settings';

/** Embedded ones, but for the documents where `where` says `mongodb`: those are where `MONGODB_URL` says. */
export async function enginesWithDocuments(config: Config, where: string | undefined): Promise<Engines> {
  if (where !== 'mongodb') return openEmbeddedEngines(config);
  const { EVENTSTORE_URL: _, KAFKA_BROKERS: __, REDIS_URL: ___, ...settings } = config;
  return openEngines(settings, createLogger('warn'));
}
