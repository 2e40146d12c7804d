import { setTimeout as pause } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { inWords } from './failures';
import type { Member } from './member';
import { attendGroup } from './membership';

const SHORTEST_PAUSE = 200;
const LONGEST_PAUSE = 5000;

/** Consumes until the signal; joins anew whenever the membership was lost, with growing pauses while brokers are away. */
export async function consume(
  client: () => Kafka,
  member: Omit<Member, 'onJoined'>,
  logger: Logger,
): Promise<void> {
  const { signal, group } = member;
  let wait = SHORTEST_PAUSE;
  const onJoined = (): void => {
    wait = SHORTEST_PAUSE;
  };
  while (!signal.aborted) {
    const ending = await attendGroup(client(), { ...member, onJoined });
    if (ending.kind === 'failed') throw ending.error;
    if (ending.kind === 'stopped') return;
    logger.warn({ group, cause: inWords(ending.error), pause: wait }, 'lost the log; joining again');
    await pause(wait, undefined, { signal }).catch(() => undefined);
    wait = Math.min(wait * 2, LONGEST_PAUSE);
  }
}
