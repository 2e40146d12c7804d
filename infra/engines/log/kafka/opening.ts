import { type Admin, KafkaJSSASLAuthenticationError } from 'kafkajs';
import { CannotOpen } from '../../cannot-open';
import { inWords, rootOf } from './failures';
import { within } from '../../with-timeout';

const LIMIT_MS = 6000;

const ERRNO: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'there is no host of that name, or no name server',
  EHOSTUNREACH: 'there is no way to that host',
  ECONNRESET: 'the broker hangs up: it may want TLS, or not',
  EPROTO: 'the broker does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the broker does not speak TLS',
};

/** In words for an operator; what the broker says of refused credentials is left out. */
const causeOf = (error: unknown): string => {
  const root = rootOf(error) as Error & { code?: string; broker?: string; type?: string };
  const at = root.broker ? ` (${root.broker})` : '';
  if (root instanceof KafkaJSSASLAuthenticationError) return 'the broker refuses the credentials';
  if (root.name === 'KafkaJSConnectionClosedError')
    return `the broker hangs up${at}: it may want TLS or credentials, or is not Kafka`;
  if (root.type === 'ILLEGAL_SASL_STATE') return 'the broker takes no credentials at that port';
  if (root.type?.endsWith('AUTHORIZATION_FAILED')) return `missing rights: ${root.message}`;
  if (root.name === 'KafkaJSServerDoesNotSupportApiKey')
    return `too old a version of Kafka, or not a port for clients: ${root.message}`;
  if (/certificate|self.signed/i.test(root.message)) return `TLS: ${root.message}`;
  const words =
    ERRNO[root.code ?? ''] ?? Object.entries(ERRNO).find(([code]) => root.message.includes(code))?.[1];
  return words ? `${words}${at}` : inWords(error);
};

/**
 * Connects and asks for the controller, which is reached at the address that the brokers advertise.
 * @throws CannotOpen
 */
export async function checkConnection(admin: Admin): Promise<void> {
  const late = (): never => {
    throw new CannotOpen('KAFKA_BROKERS', `no answer within ${LIMIT_MS / 1000} seconds`);
  };
  const ask = async (): Promise<void> => {
    await admin.connect();
    await admin.describeCluster();
  };
  try {
    await within(LIMIT_MS, ask(), late);
  } catch (error) {
    if (error instanceof CannotOpen) throw error;
    throw new CannotOpen('KAFKA_BROKERS', causeOf(error), { cause: error });
  } finally {
    await within(
      500,
      admin.disconnect().catch(() => undefined),
      () => undefined,
    );
  }
}
