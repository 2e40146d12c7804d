import type { Log } from '../../../contracts/ports/log';
import { TOPICS } from '../../../infra/program/features';

/** Declares the topics that projections read, as a running program does. */
export function declareTopics(log: Log): Promise<void> {
  return log.declare(TOPICS);
}
