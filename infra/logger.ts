import { pino, type Logger } from 'pino';

/** Fields that must never reach a log, wherever a request or an error carries them along. */
const SECRETS = [
  'authorization',
  'token',
  'secret',
  'secretKey',
  'privateKey',
  'mnemonic',
  'password',
  'apiKey',
];

const paths = SECRETS.flatMap(name => [name, `*.${name}`, `*.*.${name}`]);

/** Structured logs on stdout, one JSON object a line, secrets redacted. */
export const createLogger = (level: string): Logger =>
  pino({
    level,
    base: null,
    serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
    redact: { paths, censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
