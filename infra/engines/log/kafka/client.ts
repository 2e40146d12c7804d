import { Kafka, logLevel, type LogEntry, type RetryOptions } from 'kafkajs';
import type { Logger } from 'pino';
import './request-queue';
import type { KafkaLogOptions } from './options';

/** Short, because most callers have time limits of their own. */
const DEFAULT_RETRY: RetryOptions = { initialRetryTime: 100, maxRetryTime: 1000, retries: 3 };

const CONNECT_TIMEOUT_MS = 3000;
const REQUEST_TIMEOUT_MS = 10_000;

/** kafkajs logs every failed attempt as an error; callers log the outcome. */
const demoteLevels =
  (logger: Logger) =>
  ({ level, namespace, log }: LogEntry): void => {
    const { message, timestamp: _timestamp, logger: _logger, stack: _stack, ...rest } = log;
    logger[level === logLevel.ERROR ? 'debug' : 'trace']({ from: namespace, ...rest }, message);
  };

/**
 * Each call of the result creates an independent client: kafkajs stores the offsets of a group in the client, so that two
 * members of one group in one client would interfere.
 */
export function createClientFactory({ brokers, ssl, sasl, clientId = 'tidemark', logger }: KafkaLogOptions) {
  return (retry: RetryOptions = DEFAULT_RETRY): Kafka =>
    new Kafka({
      brokers: [...brokers],
      clientId,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      retry,
      logLevel: logLevel.INFO,
      logCreator: () => demoteLevels(logger),
      ...(ssl === undefined ? {} : { ssl }),
      ...(sasl === undefined ? {} : { sasl }),
    });
}
