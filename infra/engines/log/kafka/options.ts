import type { SASLOptions } from 'kafkajs';
import type { Logger } from 'pino';
import type { ConnectionOptions } from 'node:tls';

export interface KafkaLogOptions {
  /** `host:port` of some brokers; they tell of the others. */
  readonly brokers: readonly string[];
  readonly ssl?: boolean | ConnectionOptions;
  readonly sasl?: SASLOptions;
  /** How this program shows in the logs and quotas of the brokers; default `tidemark`. */
  readonly clientId?: string;
  /** What the names of topics and groups begin with there, for several installations on one cluster; default nothing. */
  readonly prefix?: string;
  /**
   * Copies of each partition of a topic that is created here; with three, a message is acknowledged by two. Default:
   * as the brokers are set.
   */
  readonly replication?: number;
  /** Bytes of the largest message that the topics take (`max.message.bytes`); default: Kafka's own, 1,048,588. */
  readonly largestMessage?: number;
  /** Milliseconds until a publish gives up on brokers that do not acknowledge; default 30,000. */
  readonly patience?: number;
  /** Milliseconds after which the partitions of a member that died go to others; default 10,000. Brokers want 6,000 at least. */
  readonly session?: number;
  readonly logger: Logger;
}
