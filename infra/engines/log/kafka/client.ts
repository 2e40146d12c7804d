import { Kafka, logLevel, type LogEntry, type RetryOptions } from 'kafkajs';
import type { Logger } from 'pino';
import type { KafkaLogOptions } from './options';

/** Short, because most who use a client know better how long it is worth to wait. */
const BRIEFLY: RetryOptions = { initialRetryTime: 100, maxRetryTime: 1000, retries: 3 };

const CONNECT_MS = 3000;
const REQUEST_MS = 10_000;

/** kafkajs tells of every attempt that failed; what comes of it is for its callers to say. */
const quietly =
  (logger: Logger) =>
  ({ level, namespace, log }: LogEntry): void => {
    const { message, timestamp: _timestamp, logger: _logger, stack: _stack, ...rest } = log;
    logger[level === logLevel.ERROR ? 'debug' : 'trace']({ from: namespace, ...rest }, message);
  };

/**
 * Each call gives a client that shares nothing with the others: kafkajs keeps the offsets of a group in the client, and
 * two members of one group in one client would disturb each other.
 */
export function clients({ brokers, ssl, sasl, clientId = 'tidemark', logger }: KafkaLogOptions) {
  return (retry: RetryOptions = BRIEFLY): Kafka =>
    new Kafka({
      brokers: [...brokers],
      clientId,
      connectionTimeout: CONNECT_MS,
      requestTimeout: REQUEST_MS,
      retry,
      logLevel: logLevel.INFO,
      logCreator: () => quietly(logger),
      ...(ssl === undefined ? {} : { ssl }),
      ...(sasl === undefined ? {} : { sasl }),
    });
}
