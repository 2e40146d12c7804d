import { setTimeout as pause } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { createBackoff } from '../../../../contracts/retry/backoff';
import type { GroupMember } from './group-member';
import { runMembership } from './group-membership';

const MIN_RETRY_MS = 200;
const MAX_RETRY_MS = 5000;

/** Consumes until the signal; joins again with back-off whenever the membership was lost. */
export async function consume(
  client: () => Kafka,
  member: Omit<GroupMember, 'onJoined'>,
  logger: Logger,
): Promise<void> {
  const { signal, group } = member;
  const backoff = createBackoff(MIN_RETRY_MS, MAX_RETRY_MS);
  while (!signal.aborted) {
    const end = await runMembership(client(), { ...member, onJoined: backoff.reset });
    if (end.kind === 'failed') throw end.error;
    if (end.kind === 'stopped') return;
    const retryMs = backoff.next();
    logger.warn({ group, err: end.error, retryMs }, 'consumer group membership lost, joining again');
    await pause(retryMs, undefined, { signal }).catch(() => undefined);
  }
}
