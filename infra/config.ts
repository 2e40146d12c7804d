import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65535);
const count = z.coerce.number().int().min(0);
const flag = z.enum(['true', 'false']).transform(text => text === 'true');
const urls = (protocols: RegExp) =>
  z
    .string()
    .transform(text => text.split(',').map(each => each.trim()))
    .pipe(z.array(z.url({ protocol: protocols })).min(1));
const httpUrls = urls(/^https?$/);

const timeZone = z.string().refine(isTimeZone, 'an IANA time zone such as Europe/Berlin');

/** Every setting of the program. `.env.example` documents each; a test holds the two against each other. */
export const SETTINGS = {
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  TRUSTED_PROXIES: count.default(0),

  TON_RPC_URL_MAINNET: httpUrls.optional(),
  TON_RPC_URL_TESTNET: httpUrls.optional(),
  SOLANA_RPC_URL_MAINNET: httpUrls.optional(),
  SOLANA_RPC_URL_DEVNET: httpUrls.optional(),
  INDEX_SCOPE: z.enum(['watched', 'all']).default('watched'),
  LOCAL_NETWORK_PORT: port.default(4100),
  LOCAL_ECONOMY: flag.default(true),

  INSTANCE_ID: z
    .string()
    .regex(/^[a-z0-9_]{1,32}$/, 'lower-case letters, digits and _, at most 32')
    .default('local'),
  INSTANCE_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3,5}$/, 'an upper-case currency code')
    .default('USD'),
  INSTANCE_TIME_ZONE: timeZone.default('UTC'),
  VOID_REASON_REQUIRED: flag.default(false),
} as const;

const schema = z.object(SETTINGS);
export type Config = z.output<typeof schema>;

/** One message naming each wrong setting, its value and what is allowed. */
export class WrongSettings extends Error {
  override readonly name = 'WrongSettings';
}

/** Reads the settings from an environment. Empty counts as unset. @throws WrongSettings */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.keys(SETTINGS).flatMap(name =>
      env[name] === undefined || env[name] === '' ? [] : [[name, env[name]]],
    ),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new WrongSettings(
    parsed.error.issues
      .map(
        issue => `${String(issue.path[0])}=${JSON.stringify(env[String(issue.path[0])])}: ${issue.message}`,
      )
      .join('\n'),
  );
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
