import { z } from 'zod';
import { dailyQuota, type Quota } from '../../contracts/quota';
import type { Age } from '../../services/retention/retention';
import { ALGORITHMS } from '../../services/auth/config';
import { KEY_BYTES } from '../../services/personal-texts/aes-gcm';
import { decodeBase64 } from '../../contracts/encoding/base64';
import { LOG_FORMATS } from './logger';
import { readJson } from '../../contracts/json/read-json';
import { writtenNumber } from '../../contracts/text/written-number';

const portUpTo = (max: number, fault: string) =>
  z.coerce.number(fault).int(fault).min(0, fault).max(max, fault);
export const port = portUpTo(65_535, 'must be a number from 0 to 65535');
const firstOfSix = portUpTo(
  65_530,
  'must be a number from 0 to 65530, since the five ports after it are used too',
);
export const count = writtenNumber.int().min(0);
export const flag = z.enum(['true', 'false']).transform(text => text === 'true');

const NODES = 'http or https URLs separated by commas, `local`, or `off`';

/**
 * How a network is reached: the URLs of its nodes; `local`, one that runs inside this program; or `off`, not at all: the instance
 * does not serve it.
 */
const nodes = z
  .string()
  .transform(text => (text === 'local' || text === 'off' ? text : text.split(',').map(each => each.trim())))
  .refine(given => typeof given === 'string' || given.every(isNodeUrl), NODES)
  .default('local');

function isNodeUrl(text: string): boolean {
  return z.url({ protocol: /^https?$/ }).safeParse(text).success;
}

/** In the working directory. */
export const DEFAULT_DATA_DIR = './data';

const isLoopback = (url: string): boolean => /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/]/.test(url);

/** Of what nobody on the way may read or change. */
export const securedUrl = z
  .url({ protocol: /^https?$/ })
  .refine(url => url.startsWith('https:') || isLoopback(url), 'an https address, or one of this machine');

export const list = z
  .string()
  .transform(text => text.split(',').map(each => each.trim()))
  .pipe(z.array(z.string().min(1)).min(1));
const algorithms = list.pipe(z.array(z.enum(ALGORITHMS)));

/** The issuer of tokens of one kind. Without a key source the program is the issuer, with a key in DATA_DIR. */
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

export const json = z.string().transform((text, context): unknown => {
  try {
    return readJson(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'not JSON' });
    return z.NEVER;
  }
});

const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin');

const zerostate = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=$/, '<root hash>:<file hash> of the zerostate, in base64');
const genesis = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'must be a genesis hash in base58');

/** The setting of a quota. */
export function quotaSetting({ name }: Pick<Quota, 'name'>): string {
  return `RATE_LIMIT_${name.toUpperCase()}`;
}

/** The setting of what all callers together may do within a day. */
export function dailyQuotaSetting(quota: Pick<Quota, 'name'>): string {
  return quotaSetting({ name: dailyQuota(quota) });
}

/** With fewer a call that counts as so many would be refused however long its caller waits. */
const calls = ({ maxPerCall = 1 }: Quota): typeof count =>
  count.refine(
    given => given === 0 || given >= maxPerCall,
    `at least ${maxPerCall}, as which one call may count, or 0 for no limit`,
  );

/** The settings of quotas: calls a minute, and of all callers a day; 0 for no limit. */
export function quotaSettings(
  quotas: readonly Quota[],
): Readonly<Record<string, z.ZodDefault<typeof count>>> {
  return Object.fromEntries(
    quotas.flatMap(quota => [
      [quotaSetting(quota), calls(quota).default(quota.perMinute)],
      ...(quota.perDay === undefined ? [] : [[dailyQuotaSetting(quota), count.default(quota.perDay)]]),
    ]),
  );
}

/** Calls a minute that a quota allows; 0 where it is lifted. */
export function callsPerMinute(config: Config, quota: Quota): number {
  return countOf(config, quotaSetting(quota), quota.perMinute);
}

/** Calls a day that all callers together may make; 0 where there is no limit. */
export function callsPerDay(config: Config, quota: Quota): number {
  return quota.perDay === undefined ? 0 : countOf(config, dailyQuotaSetting(quota), quota.perDay);
}

/** The setting of an age. */
export function ageSetting({ name }: Pick<Age, 'name'>): string {
  return `${name.toUpperCase()}_DAYS`;
}

/** The settings of ages: days, 0 for ever. */
export function ageSettings(ages: readonly Age[]): z.ZodRawShape {
  return Object.fromEntries(ages.map(age => [ageSetting(age), count.default(age.days)]));
}

/** Days after which something goes; 0 where it stays. */
export function daysOf(config: Config, age: Age): number {
  return countOf(config, ageSetting(age), age.days);
}

const countOf = (config: Config, setting: string, byDefault: number): number =>
  config.of({ [setting]: count.default(byDefault) })[setting]!;

/** Marks a setting that is of no use but to tests: it is documented only where it is defined. */
export function forTests<Setting extends z.ZodType>(setting: Setting): Setting {
  return setting.meta({ forTests: true });
}

/** The settings of the program itself, its engines and its networks; features add their own. */
export const CORE_SETTINGS = {
  /** Answers with a 500 when a response does not match its schema. */
  CHECK_RESPONSES: forTests(flag.default(false)),
  /** Milliseconds that each call of the program to a local network takes longer, as calls to real nodes do. */
  LOCAL_NETWORK_LATENCY: forTests(count.max(10_000).default(0)),
  /** Milliseconds between two looks for a new block, or for one that has become final; default: those of the chain. */
  INDEXER_POLL_MS: forTests(count.min(1).optional()),

  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default(DEFAULT_DATA_DIR),
  LOG_FORMAT: z.enum(LOG_FORMATS).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  TRUSTED_PROXIES: z.coerce
    .number('how many proxies there are, such as 1, not their addresses')
    .int()
    .min(0)
    .default(0),
  DRAIN_SECONDS: writtenNumber.min(0).max(10).default(0),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),

  EVENTSTORE_URL: z
    .string()
    .regex(/^(esdb|kurrentdb)(\+discover)?:\/\//, 'must be a connection string of EventStoreDB (esdb://...)')
    .optional(),
  EVENTSTORE_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,19}$/, 'must be a lower-case letter, then up to 19 lower-case letters or digits')
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
    .regex(/^mongodb(\+srv)?:\/\//, 'must be a connection string of MongoDB (mongodb://...)')
    .optional(),
  MONGODB_READS: z.enum(['primary', 'secondaryPreferred']).default('primary'),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),

  TON_RPC_URL_MAINNET: nodes,
  TON_RPC_URL_TESTNET: nodes,
  SOLANA_RPC_URL_MAINNET: nodes,
  SOLANA_RPC_URL_DEVNET: nodes,
  TON_ZEROSTATE_MAINNET: zerostate.optional(),
  TON_ZEROSTATE_TESTNET: zerostate.optional(),
  SOLANA_GENESIS_MAINNET: genesis.optional(),
  SOLANA_GENESIS_DEVNET: genesis.optional(),
  MAX_OBSERVATIONS: count.default(1_000_000),
  MAX_BACKFILLED_TRANSACTIONS: count.default(5_000_000),
  INDEX_SCOPE: z.enum(['watched', 'all']).default('watched'),
  LOCAL_NETWORK_PORT: firstOfSix.default(4100),
  LOCAL_NETWORK_HOST: z.string().min(1).default('127.0.0.1'),
  LOCAL_NETWORK_ALLOWED_HOSTS: list.default([]),
  LOCAL_TRAFFIC: flag.default(true),
  LOCAL_TRAFFIC_MEBIBYTES: count.default(256),

  INSTANCE_ID: z
    .string()
    .regex(/^[a-z0-9_]{1,32}$/, 'lower-case letters, digits and _, at most 32')
    .default('local'),
  INSTANCE_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3,5}$/, 'must be an upper-case currency code')
    .default('USD'),
  INSTANCE_TIME_ZONE: timeZone.default('UTC'),

  /** Encrypts personal texts; also the secret that all processes of the installation share. */
  ERASURE_MASTER_KEY: z
    .string()
    .refine(
      text => decodeBase64(text)?.length === KEY_BYTES,
      '32 bytes in base64, as `openssl rand -base64 32` prints them',
    )
    .optional(),

  ...issuer('INSTANCE', 'tidemark-instance'),
  ...issuer('PLATFORM', 'tidemark-platform'),
  JWKS_STALE_SECONDS: writtenNumber.int().min(0).max(2_592_000).default(86_400),
  SECURE_ACR_VALUES: list.default(['aal2']),
  SECURE_SESSION_MAX_AGE: writtenNumber.int().min(1).max(86_400).default(900),

  MAX_WAITING_READS: count.default(200),
  MAX_POSITION_READS: count.default(2_000),
  LIST_WAIT_SECONDS: writtenNumber.min(0).max(60).default(12),
  MAX_CONNECTIONS: count.default(30_000),
  MAX_CONNECTIONS_PER_CALLER: count.default(1_000),
  MAX_STREAMS: count.default(20_000),
  MAX_STREAMS_PER_CALLER: count.default(200),
  STREAM_HEARTBEAT_SECONDS: writtenNumber.min(0.1).max(60).default(10),
} as const;

/** The settings that every part of the program knows. All were checked when they were read. */
export interface Config extends z.output<z.ZodObject<typeof CORE_SETTINGS>> {
  /** The settings of a functional group, or others that some parts of the program alone know. */
  of<Shape extends z.ZodRawShape>(settings: Shape): z.output<z.ZodObject<Shape>>;
}

/** One message naming each wrong setting, its value and what is allowed. */
export class WrongSettings extends Error {
  override readonly name: string = 'WrongSettings';
}

/** A port or address that cannot be listened on now: the next start may succeed. */
export class CannotListen extends WrongSettings {
  override readonly name = 'CannotListen';
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
