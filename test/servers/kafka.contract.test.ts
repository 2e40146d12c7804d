import { pino } from 'pino';
import { openKafkaLog } from '../../infra/engines/log/kafka/kafka-log';
import { describeLog } from '../contracts/log';

const brokers = [process.env['KAFKA_BROKERS']!];
const logger = pino({ level: 'silent' });

describeLog(
  'Kafka',
  place => openKafkaLog({ brokers, prefix: `${place}.`, sessionTimeoutMs: 6000, logger }),
  { deletes: false },
);
