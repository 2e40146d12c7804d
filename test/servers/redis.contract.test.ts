import { openBullMqJobs } from '../../infra/engines/jobs/bullmq/bullmq-jobs';
import { openRedisWakeUps } from '../../infra/engines/wake-ups/redis';
import { describeJobs } from '../contracts/jobs';
import { describeWakeUps } from '../contracts/wake-ups';
import { sharedRedis } from './shared-redis';

const url = sharedRedis();

describeJobs('BullMQ', place => openBullMqJobs({ url: url(), prefix: place }));

describeWakeUps('Redis', place => openRedisWakeUps({ url: url(), prefix: place }), { crossClient: true });
