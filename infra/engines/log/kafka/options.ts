import type { SASLOptions } from 'kafkajs';
import type { Logger } from 'pino';
import type { ConnectionOptions } from 'node:tls';

export interface KafkaLogOptions {
  /** `host:port` of some brokers, from which the others are discovered. */
  readonly brokers: readonly string[];
  readonly ssl?: boolean | ConnectionOptions;
  readonly sasl?: SASLOptions;
  /** In the logs and quotas of the brokers; default `tidemark`. */
  readonly clientId?: string;
  /** Of the names of topics and groups, for several installations on one cluster; default none. */
  readonly prefix?: string;
  /**
   * Of the topics that this program creates; with three, two replicas acknowledge each message. Default: that of the
   * brokers.
   */
  readonly replicationFactor?: number;
  /** The `max.message.bytes` of the topics; default: that of Kafka, 1,048,588. */
  readonly maxMessageBytes?: number;
  /** After which a publish without acknowledgement or a read without response fails; default 30,000. */
  readonly deliveryTimeoutMs?: number;
  /** After which the partitions of a crashed member are reassigned; default 10,000. Brokers require at least 6,000. */
  readonly sessionTimeoutMs?: number;
  readonly logger: Logger;
}
