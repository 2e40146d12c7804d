import { pino } from 'pino';
import { openKafkaLog } from '../../infra/engines/log/kafka/kafka-log';
import { newName } from '../contracts/log/fixtures';
import { type DataFolder, dataFolder } from '../projections/program';
import { describeLogProjections } from '../projections/suites/log';

const brokers = [process.env['KAFKA_BROKERS']!];

/** A data folder whose programs have their log in Kafka. */
const kafkaFolder = async (): Promise<DataFolder> => {
  const logger = pino({ level: 'silent' });
  const log = await openKafkaLog({ brokers, prefix: `${newName()}.`, sessionTimeoutMs: 6000, logger });
  const folder = dataFolder();
  return {
    ...folder,
    open: options => ({ ...folder.open({ log, ...options }), log }),
    remove: async () => {
      await folder.remove();
      await log.close();
    },
  };
};

describeLogProjections('SQLite, with the log in Kafka', kafkaFolder);
