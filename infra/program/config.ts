import { z } from 'zod';
import { ALGORITHMS } from '../../services/auth/config';
import { feePayment } from '../../services/billing/payments/policy';

const port = z.coerce.number().int().min(0).max(65535);
const count = z.coerce.number().int().min(0);
const flag = z.enum(['true', 'false']).transform(text => text === 'true');
const urls = (protocols: RegExp) =>
  z
    .string()
    .transform(text => text.split(',').map(each => each.trim()))
    .pipe(z.array(z.url({ protocol: protocols })).min(1));
const httpUrls = urls(/^https?$/);

const list = z
  .string()
  .transform(text => text.split(',').map(each => each.trim()))
  .pipe(z.array(z.string().min(1)).min(1));
const algorithms = list.pipe(z.array(z.enum(ALGORITHMS)));

/** Who issues tokens of one kind. Without a key source the program plays the issuer itself, with a key in DATA_DIR. */
const issuer = <Kind extends 'INSTANCE' | 'PLATFORM'>(kind: Kind, name: string) =>
  ({
    [`${kind}_JWT_ISSUER`]: z.string().min(1).default(name),
    [`${kind}_JWT_AUDIENCE`]: z.string().min(1).default('tidemark'),
    [`${kind}_JWT_ALGORITHMS`]: algorithms.default([...ALGORITHMS]),
    [`${kind}_JWT_JWKS_FILE`]: z.string().min(1).optional(),
    [`${kind}_JWT_JWKS_URL`]: z.url({ protocol: /^https$/ }).optional(),
    [`${kind}_JWT_SECRET`]: z
      .string()
      .refine(text => Buffer.byteLength(text) >= 32, 'at least 32 bytes')
      .optional(),
  }) as IssuerSettings<Kind>;

type IssuerSettings<Kind extends string> = Record<
  `${Kind}_JWT_ISSUER` | `${Kind}_JWT_AUDIENCE`,
  z.ZodDefault<z.ZodString>
> &
  Record<`${Kind}_JWT_ALGORITHMS`, z.ZodDefault<typeof algorithms>> &
  Record<`${Kind}_JWT_JWKS_FILE` | `${Kind}_JWT_JWKS_URL` | `${Kind}_JWT_SECRET`, z.ZodOptional<z.ZodString>>;

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'not JSON' });
    return z.NEVER;
  }
});

const timeZone = z.string().refine(isTimeZone, 'an IANA time zone such as Europe/Berlin');

/** Every setting of the program. `.env.example` documents each; a test holds the two against each other. */
export const SETTINGS = {
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  TRUSTED_PROXIES: count.default(0),

  EVENTSTORE_URL: z
    .string()
    .regex(/^(esdb|kurrentdb)(\+discover)?:\/\//, 'a connection string of EventStoreDB (esdb://...)')
    .optional(),
  KAFKA_BROKERS: list
    .pipe(z.array(z.string().regex(/^[^\s:/]+:\d{1,5}$/, 'host:port, several separated by commas')))
    .optional(),
  KAFKA_TLS: flag.default(false),
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_USERNAME: z.string().min(1).optional(),
  KAFKA_PASSWORD: z.string().min(1).optional(),
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'a connection string of MongoDB (mongodb://...)')
    .optional(),
  MONGODB_READS: z.enum(['primary', 'secondaryPreferred']).default('primary'),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),

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
  CURRENCY_SCALE: z.coerce.number().int().min(0).max(18).default(2),
  INSTANCE_TIME_ZONE: timeZone.default('UTC'),
  VOID_REASON_REQUIRED: flag.default(false),
  FEE_PAYMENTS: json.pipe(z.array(feePayment).max(32)).default([]),
  ERASURE_MASTER_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, '32 bytes in base64, as `openssl rand -base64 32` gives them')
    .optional(),

  ...issuer('INSTANCE', 'tidemark-instance'),
  ...issuer('PLATFORM', 'tidemark-platform'),
  SECURE_ACR_VALUES: list.default(['aal2']),
  SECURE_SESSION_MAX_AGE: z.coerce.number().int().min(1).max(86_400).default(900),

  LEDGER_KEYS_FILE: z.string().min(1).optional(),
  LEDGER_CHECKPOINT_EVENTS: z.coerce.number().int().min(1).default(10_000),
  LEDGER_CHECKPOINT_MINUTES: z.coerce.number().int().min(1).max(10_080).default(10),
  AS_OF_FILES: z.coerce.number().int().min(1).max(1_000).default(8),
  AS_OF_MEBIBYTES: z.coerce.number().int().min(1).default(4_096),

  RATE_LIMIT_READS: count.default(120),
  RATE_LIMIT_EXPORTS: count.default(6),
  RATE_LIMIT_WRITES: count.default(20),
  RATE_LIMIT_FEES: count.default(0),
  RATE_LIMIT_ADDRESS: count.default(300),
  RATE_LIMIT_FAILURES: count.default(30),
} as const;

const schema = z.object(SETTINGS).superRefine((config, context) => {
  for (const [index, { currency }] of config.FEE_PAYMENTS.entries())
    if (currency !== config.INSTANCE_CURRENCY)
      context.addIssue({
        code: 'custom',
        path: ['FEE_PAYMENTS', index, 'currency'],
        message: `an asset stands for INSTANCE_CURRENCY (${config.INSTANCE_CURRENCY}), or fees are not paid in it`,
      });
  for (const name of ['KAFKA_USERNAME', 'KAFKA_PASSWORD'] as const)
    if (config.KAFKA_SASL_MECHANISM && !config[name])
      context.addIssue({ code: 'custom', path: [name], message: 'must be set with KAFKA_SASL_MECHANISM' });
});
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
    parsed.error.issues.map(issue => fault(String(issue.path[0]), env, issue.message)).join('\n'),
  );
}

const SECRET = /_(SECRET|PASSWORD|MASTER_KEY)$/;
const USER_INFO = /\/\/[^/@]*@/g;

/** The value is shown without the secrets in it. */
const fault = (name: string, env: Readonly<Record<string, string | undefined>>, message: string): string =>
  `${name}=${SECRET.test(name) ? '[redacted]' : JSON.stringify(env[name] ?? '').replace(USER_INFO, '//[redacted]@')}: ${message}`;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
