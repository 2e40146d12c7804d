import { type Level, type Logger, pino } from 'pino';
import { readJson } from '../../../contracts/json/read-json';

/** A logger for a worker thread, whose lines the thread that started it logs with `logLine`. */
export function createWorkerLogger(level: string, write: (line: string) => void): Logger {
  return pino({ level, base: null, timestamp: false }, { write });
}

export function logLine(logger: Logger, line: string): void {
  const { level, msg, ...fields } = readJson(line) as { level: number; msg: string };
  logger[(pino.levels.labels[level] ?? 'error') as Level](fields, msg);
}
