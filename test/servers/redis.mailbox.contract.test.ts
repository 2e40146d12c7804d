import { openRedisMailbox } from '../../infra/engines/mailbox/redis/redis-mailbox';
import { describeMailbox } from '../contracts/mailbox';
import { sharedRedis } from './shared-redis';

const url = sharedRedis();

describeMailbox(
  'Redis',
  (place, settings) => openRedisMailbox({ url: url(), prefix: place, ...settings }),
  place => ['redis', url(), place],
);
