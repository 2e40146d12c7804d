import { KafkaJSError } from 'kafkajs';
import { EngineUnavailable } from '../../../contracts/engine-unavailable';

/** What kafkajs wrapped into its accounts of retries. */
export const rootOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error && error.cause !== error
    ? rootOf(error.cause)
    : error;

/** The name of Kafka's protocol for what the broker refused, such as UNKNOWN_TOPIC_OR_PARTITION. */
export const refusalOf = (error: unknown): string | undefined => (rootOf(error) as { type?: string }).type;

export const inWords = (error: unknown): string => {
  const root = rootOf(error);
  return root instanceof Error ? root.message : String(root);
};

/** Whether it may go by on its own, as far as kafkajs knows: lost connections, leaders and coordinators on the move. */
export const isPassing = (error: unknown): boolean =>
  (rootOf(error) as { retriable?: boolean }).retriable !== false;

/** Errors of the client library as an engine that is away; others are what they are. */
export const unavailable = (error: unknown): unknown =>
  error instanceof KafkaJSError ? new EngineUnavailable('log', inWords(error), { cause: error }) : error;
