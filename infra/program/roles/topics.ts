import { once } from 'node:events';
import { EngineUnavailable } from '../../../contracts/engine-unavailable';
import { TOPICS } from '../topics';
import { endure } from './endure';
import type { Part, RoleDeps } from './role';

/**
 * Creates the topics that do not exist yet. A log that has gone since it was opened is waited for beside the start.
 * @throws CannotOpen when it has such a topic that is laid out otherwise
 */
export async function declareTopics(deps: Pick<RoleDeps, 'engines' | 'logger' | 'signal'>): Promise<Part> {
  const { engines, signal } = deps;
  try {
    await engines.log.declare(TOPICS);
    return {};
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
  }
  const { done, held } = endure(async () => {
    await engines.log.declare(TOPICS);
    await once(signal, 'abort');
  }, deps);
  return { done, checks: [{ name: 'topics', vital: false, run: async () => held() }] };
}
