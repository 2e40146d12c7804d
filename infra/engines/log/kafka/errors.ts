import { KafkaJSError } from 'kafkajs';
import { messageOf } from '../../../../contracts/text/error-message';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';

/** The innermost cause: kafkajs wraps errors into those of its retries. */
export function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error && error.cause !== error
    ? rootCause(error.cause)
    : error;
}

/** The error of the Kafka protocol that a broker answered with, such as UNKNOWN_TOPIC_OR_PARTITION. */
export function protocolError(error: unknown): string | undefined {
  return (rootCause(error) as { type?: string }).type;
}

export function describeError(error: unknown): string {
  return messageOf(rootCause(error));
}

/** Whether kafkajs considers it temporary: lost connections, leaders and coordinators that are moving. */
export function isRetriable(error: unknown): boolean {
  return (rootCause(error) as { retriable?: boolean }).retriable !== false;
}

/** Makes EngineUnavailable of errors of the client library; returns others unchanged. */
export function unavailable(error: unknown): unknown {
  return error instanceof KafkaJSError
    ? new EngineUnavailable('log', describeError(error), { cause: error })
    : error;
}
