import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { JSONWebKeySet } from 'jose' with { 'resolution-mode': 'import' };
import type { AuthConfig, IssuerConfig, KeySource } from '../../../services/auth/config';
import type { FailedFetch } from '../../../services/auth/fetched-keys';
import type { LocalIssuer } from '../../../services/auth/issue-token';
import { localKey, publicKeys } from '../../../services/auth/local-keys';
import type { Principal } from '../../../contracts/principal';
import { WrongSettings, type Config } from '../../config/settings';
import { inDataDir } from '../../config/data-dir';
import type { Metrics } from '../metrics/metrics';
import { jwksFile } from './stored-jwks';
import { readJson } from '../../../contracts/json/read-json';

type Kind = Principal['issuer'];

const PREFIX = { instance: 'INSTANCE', platform: 'PLATFORM' } as const;

/** Hears of every fetch of the keys of an issuer: null for one that succeeded. */
export type OnKeysFetched = (issuer: Kind, outcome: FailedFetch | null) => void;

/** How tokens are verified under these settings. @throws WrongSettings, CannotOpen when there is no room for a key */
export async function authConfig(
  config: Config,
  now: () => number,
  onKeysFetched: OnKeysFetched = () => undefined,
): Promise<AuthConfig> {
  return {
    instanceId: config.INSTANCE_ID,
    instance: await issuerConfig(config, 'instance', onKeysFetched),
    platform: await issuerConfig(config, 'platform', onKeysFetched),
    acrValues: config.SECURE_ACR_VALUES,
    now,
  };
}

/** Warns of and counts fetches that failed. */
export function reportKeyFetches(
  metrics: Pick<Metrics, 'jwksFetches' | 'jwksStaleSeconds'>,
  logger: Pick<Logger, 'warn'>,
): OnKeysFetched {
  return (issuer, failed) => {
    metrics.jwksFetches.inc({ issuer, outcome: failed ? 'failed' : 'fetched' });
    const keysAge = failed?.keysAge ?? null;
    const keysAgeSeconds = keysAge === null ? null : Math.round(keysAge / 1_000);
    metrics.jwksStaleSeconds.set({ issuer }, keysAgeSeconds ?? 0);
    if (failed)
      logger.warn(
        { issuer, keysAgeSeconds, err: failed.error },
        keysAgeSeconds === null
          ? 'the keys of the issuer cannot be fetched: its tokens are answered with 503'
          : 'the keys of the issuer cannot be fetched: those that were fetched last are used',
      );
  };
}

/** The program as its own issuer. @throws WrongSettings when the settings name another one. */
export async function localIssuer(config: Config, kind: Kind, now: () => number): Promise<LocalIssuer> {
  const prefix = PREFIX[kind];
  const [source] = sources(config, kind);
  if (source) throw new WrongSettings(`${source}: tokens of the ${kind} are issued elsewhere`);
  return {
    kind,
    issuer: config[`${prefix}_JWT_ISSUER`],
    audience: config[`${prefix}_JWT_AUDIENCE`],
    instanceId: config.INSTANCE_ID,
    key: await ownKey(config, kind),
    acr: config.SECURE_ACR_VALUES[0]!,
    now,
  };
}

/** Whether the program is its own issuer, because the settings name no other. */
export function isLocalIssuer(config: Config, kind: Kind): boolean {
  return sources(config, kind).length === 0;
}

/** @throws CannotOpen */
const ownKey = ({ DATA_DIR }: Config, kind: Kind) => inDataDir(DATA_DIR, () => localKey(DATA_DIR, kind));

async function issuerConfig(config: Config, kind: Kind, onKeysFetched: OnKeysFetched): Promise<IssuerConfig> {
  const prefix = PREFIX[kind];
  return {
    issuer: config[`${prefix}_JWT_ISSUER`],
    audience: config[`${prefix}_JWT_AUDIENCE`],
    algorithms: config[`${prefix}_JWT_ALGORITHMS`],
    keys: await keySource(config, kind, onKeysFetched),
  };
}

const sources = (config: Config, kind: Kind) =>
  (
    [`${PREFIX[kind]}_JWT_JWKS_FILE`, `${PREFIX[kind]}_JWT_JWKS_URL`, `${PREFIX[kind]}_JWT_SECRET`] as const
  ).filter(name => config[name] !== undefined);

async function keySource(config: Config, kind: Kind, onKeysFetched: OnKeysFetched): Promise<KeySource> {
  const named = sources(config, kind);
  if (named.length > 1) throw new WrongSettings(`${named.join(', ')}: only one of them may be set`);
  const prefix = PREFIX[kind];
  const file = config[`${prefix}_JWT_JWKS_FILE`];
  const url = config[`${prefix}_JWT_JWKS_URL`];
  const secret = config[`${prefix}_JWT_SECRET`];
  if (file !== undefined) return { kind: 'keys', keys: readKeys(`${prefix}_JWT_JWKS_FILE`, file) };
  if (url !== undefined)
    return {
      kind: 'url',
      url,
      maxStaleMs: config.JWKS_STALE_SECONDS * 1_000,
      stored: jwksFile(join(config.DATA_DIR, 'jwks', `${kind}.json`), url),
      onFetched: outcome => onKeysFetched(kind, outcome),
    };
  if (secret !== undefined) return { kind: 'secret', secret };
  return { kind: 'keys', keys: publicKeys(await ownKey(config, kind)) };
}

function readKeys(setting: string, file: string): JSONWebKeySet {
  const wrong = (reason: string) => new WrongSettings(`${setting}=${JSON.stringify(file)}: ${reason}`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong((error as Error).message);
  }
  try {
    const set = readJson(text) as JSONWebKeySet;
    if (Array.isArray(set.keys)) return set;
  } catch {
    // The message of the parser quotes the file, which may hold a private key.
  }
  throw wrong('not a JWKS document');
}
