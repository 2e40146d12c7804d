import { pino, type Logger } from 'pino';
import { logLines } from './log-lines';

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

/** Structured logs, one JSON object a line, secrets redacted; on stdout, or stderr where stdout is for results. */
export function createLogger(level: string, to: 'stdout' | 'stderr' = 'stdout'): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
      redact: { paths, censor: '[redacted]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    logLines(to === 'stdout' ? 1 : 2),
  );
}
