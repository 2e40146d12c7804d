import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { pino, type DestinationStream, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';

/** Fields that must never reach a log, wherever a request or an error carries them. */
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

/**
 * Structured logs with secrets redacted: readable lines on a terminal, else one JSON object a line.
 * @param to stderr where stdout is for results
 */
export function createLogger(level: string, to: 'stdout' | 'stderr' = 'stdout'): Logger {
  const descriptor = to === 'stdout' ? 1 : 2;
  const lines = synchronousLines(descriptor);
  return pino(
    {
      level,
      base: null,
      serializers: { err: pino.stdSerializers.err },
      redact: { paths, censor: '[redacted]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    isatty(descriptor) ? readable(lines) : lines,
  );
}

function readable(lines: DestinationStream): DestinationStream {
  const pretty = prettyFactory({ colorize: true, translateTime: 'SYS:HH:MM:ss.l' });
  return { write: line => void lines.write(pretty(line) ?? line) };
}

const RETRY_MS = 10;
const MAX_TRIES = 100;

/**
 * Writes lines synchronously. One that cannot be written is lost: pino's own destination ends the program over it, and
 * then never exits, since it retries the rest of the lines while the disk is full.
 */
function synchronousLines(descriptor: number): DestinationStream {
  return {
    write(line) {
      let left = Buffer.from(line);
      for (let tries = 0; left.length > 0 && tries < MAX_TRIES;)
        try {
          left = left.subarray(writeSync(descriptor, left));
        } catch (error) {
          // A pipe that is full.
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
          tries += 1;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
        }
    },
  };
}
