import { KafkaJSError } from 'kafkajs';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';

/** What kafkajs wrapped into its accounts of retries. */
export function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error && error.cause !== error
    ? rootOf(error.cause)
    : error;
}

/** The name of Kafka's protocol for what the broker refused, such as UNKNOWN_TOPIC_OR_PARTITION. */
export function refusalOf(error: unknown): string | undefined {
  return (rootOf(error) as { type?: string }).type;
}

export function inWords(error: unknown): string {
  const root = rootOf(error);
  return root instanceof Error ? root.message : String(root);
}

/** Whether it may go by on its own, as far as kafkajs knows: lost connections, leaders and coordinators on the move. */
export function isPassing(error: unknown): boolean {
  return (rootOf(error) as { retriable?: boolean }).retriable !== false;
}

/** Errors of the client library as an engine that is away; others are what they are. */
export function unavailable(error: unknown): unknown {
  return error instanceof KafkaJSError
    ? new EngineUnavailable('log', inWords(error), { cause: error })
    : error;
}
