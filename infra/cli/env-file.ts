import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { fileFault } from '../config/file-error';
import { EXIT_CODES } from './exit-codes';

const FILE = '.env';

/**
 * Reads `.env` of the working directory, if there is one: what the environment has already is kept. Tests are not run with the
 * settings of the user who runs them.
 */
export function loadEnvFile(): void {
  if (process.env.NODE_ENV === 'test' || !existsSync(FILE)) return;
  try {
    for (const [name, value] of Object.entries(parse(readFileSync(FILE, 'utf8'))))
      process.env[name] ??= value;
  } catch (error) {
    process.stderr.write(`error: ${FILE} cannot be read: ${fileFault(error)}\n`);
    process.exit(EXIT_CODES.usage);
  }
}

/** A value in quotes may have several lines. */
const ASSIGNMENT = /^[ \t]*(?:export +)?[\w.-]+ *=(?:[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`))?.*$/gm;
const COMMENT = /^\s*(?:#.*)?$/;

/**
 * Each assignment by itself: Node takes what stands before one, a comment that is indented for example, for a part of its name.
 * @throws Error at a line that would be ignored, `PORT: 3000` for example
 */
function parse(text: string): Record<string, string> {
  const settings: Record<string, string> = {};
  const others = text.replaceAll('\r\n', '\n').replace(ASSIGNMENT, assignment => {
    Object.assign(settings, parseEnv(assignment.trim()));
    return assignment.replace(/[^\n]/g, '');
  });
  const at = others.split('\n').findIndex(line => !COMMENT.test(line));
  // Without the line itself, which may be part of a secret.
  if (at >= 0) throw new Error(`line ${at + 1} is neither NAME=value nor a comment`);
  return settings;
}
