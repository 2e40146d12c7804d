import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { LRUCache } from 'lru-cache';
import { pino, type DestinationStream, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';

/** `pretty`: lines for people. */
export const LOG_FORMATS = ['pretty', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

/** Pretty on a terminal, else JSON. */
export function defaultFormat(to: keyof typeof DESCRIPTORS): LogFormat {
  return isatty(DESCRIPTORS[to]) ? 'pretty' : 'json';
}

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
 * Structured logs with secrets redacted: lines for people, or one JSON object a line.
 * @param to stderr where stdout is for results
 * @param format default: for people on a terminal, else JSON
 */
export function createLogger(
  level: string,
  to: 'stdout' | 'stderr' = 'stdout',
  format: LogFormat = defaultFormat(to),
): Logger {
  const descriptor = DESCRIPTORS[to];
  const lines = synchronousLines(descriptor);
  return pino(
    {
      level,
      base: null,
      serializers: { err: errorSerializer() },
      redact: { paths, censor: '[redacted]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    format === 'pretty' ? readable(lines, isatty(descriptor)) : lines,
  );
}

/** How many faults are remembered, and for how long. */
const MAX_FAULTS = 1_000;
const FAULT_MS = 60_000;

/** One fault stops many workers, each of which says so: its stack is written once a minute. */
function errorSerializer(): (error: Error) => unknown {
  const known = new LRUCache<string, true>({ max: MAX_FAULTS, ttl: FAULT_MS });
  return error => {
    const serialized = pino.stdSerializers.err(error);
    if (!(error instanceof Error)) return serialized;
    const { type, message } = serialized;
    const fault = `${type}: ${message}`;
    if (!known.has(fault)) {
      known.set(fault, true);
      return serialized;
    }
    return { ...serialized, stack: fault };
  };
}

function readable(lines: DestinationStream, colorize: boolean): DestinationStream {
  const pretty = prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss.l' });
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
