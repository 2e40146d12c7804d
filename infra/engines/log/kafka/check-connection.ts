import { type Admin, KafkaJSSASLAuthenticationError } from 'kafkajs';
import { CannotOpen } from '../../../config/cannot-open';
import { describeError, rootCause } from './errors';
import { OPEN_TIMEOUT_MS } from '../../open-timeout';
import { withTimeout } from '../../../../contracts/retry/with-timeout';

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host, or no name server',
  EHOSTUNREACH: 'host unreachable',
  ECONNRESET: 'the broker closed the connection: it may require TLS, or not support it',
  EPROTO: 'the broker does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the broker does not speak TLS',
};

/** For operators; the message of a broker about rejected credentials is left out. */
const describeCause = (error: unknown): string => {
  const root = rootCause(error) as Error & { code?: string; broker?: string; type?: string };
  const at = root.broker ? ` (${root.broker})` : '';
  if (root instanceof KafkaJSSASLAuthenticationError) return 'the broker rejected the credentials';
  if (root.name === 'KafkaJSConnectionClosedError')
    return `the broker closed the connection${at}: it may require TLS or credentials, or is not Kafka`;
  if (root.type === 'ILLEGAL_SASL_STATE') return 'the broker accepts no credentials at that port';
  if (root.type?.endsWith('AUTHORIZATION_FAILED')) return `not authorized: ${root.message}`;
  if (root.name === 'KafkaJSServerDoesNotSupportApiKey')
    return `unsupported version of Kafka, or not a client port: ${root.message}`;
  if (/certificate|self.signed/i.test(root.message)) return `TLS: ${root.message}`;
  const reason =
    REASONS[root.code ?? ''] ?? Object.entries(REASONS).find(([code]) => root.message.includes(code))?.[1];
  return reason ? `${reason}${at}` : describeError(error);
};

/**
 * Connects, and asks the controller at its advertised address.
 * @throws CannotOpen
 */
export async function checkConnection(admin: Admin): Promise<void> {
  const onTimeout = (): never => {
    throw new CannotOpen('KAFKA_BROKERS', `no response within ${OPEN_TIMEOUT_MS / 1000} seconds`);
  };
  const check = async (): Promise<void> => {
    await admin.connect();
    await admin.describeCluster();
  };
  try {
    await withTimeout(OPEN_TIMEOUT_MS, check(), onTimeout);
  } catch (error) {
    if (error instanceof CannotOpen) throw error;
    throw new CannotOpen('KAFKA_BROKERS', describeCause(error), { cause: error });
  } finally {
    await withTimeout(
      500,
      admin.disconnect().catch(() => undefined),
      () => undefined,
    );
  }
}
