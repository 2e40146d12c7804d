import { once } from 'node:events';
import type { Logger } from 'pino';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import type { Log, TopicSpec } from '../../contracts/ports/log';
import type { Component } from './component';
import { supervise } from './supervise';

/**
 * Creates the topics that do not exist yet. A log that became unavailable after it was opened is retried in the background.
 * @throws CannotOpen when it has such a topic with another layout
 */
export async function declareTopics(
  log: Pick<Log, 'declare'>,
  topics: readonly TopicSpec[],
  context: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<Component> {
  try {
    await log.declare(topics);
    return {};
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
  }
  const { done, unavailable } = supervise(async () => {
    await log.declare(topics);
    await once(context.signal, 'abort');
  }, context);
  return { done, checks: [{ name: 'topics', vital: false, run: async () => unavailable() }] };
}
