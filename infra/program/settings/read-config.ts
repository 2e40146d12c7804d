import { z } from 'zod';
import { DESCRIBED } from '../../../contracts/problem/describe-issue';
import { NETWORKS } from '../../../contracts/network/network';
import type { FeatureSet } from '../feature';
import { resolveAliases } from './aliases';
import { lookalikeNamesOf, mistypedSettings } from './mistyped-settings';
import { networkSetting } from '../../config/network-settings';
import { CORE_SETTINGS, quotaSettings, ageSettings, WrongSettings, type Config } from '../../config/settings';

type Environment = Readonly<Record<string, string | undefined>>;

/** Every setting of a program with these features. */
export function settingsOf({ all, quotas, ages }: FeatureSet): z.ZodRawShape {
  return Object.assign(
    {},
    CORE_SETTINGS,
    ...all.map(({ settings }) => settings),
    quotaSettings(quotas),
    ageSettings(ages),
  ) as z.ZodRawShape;
}

/** What a setting of a program with these features is by default; undefined where it has none, or is no setting. */
export function defaultsOf(features: FeatureSet): (setting: string) => unknown {
  const settings: Readonly<Record<string, z.core.$ZodType>> = settingsOf(features);
  return setting => settings[setting] && z.parse(settings[setting], undefined);
}

const schemas = new WeakMap<z.ZodRawShape, z.ZodObject>();

/** Made once: zod compiles each. */
function schemaOf<Shape extends z.ZodRawShape>(settings: Shape): z.ZodObject<Shape> {
  const schema = schemas.get(settings) ?? z.object(settings);
  schemas.set(settings, schema);
  return schema as z.ZodObject<Shape>;
}

/** Settings that have been checked, as each part of the program asks for them. */
function configOf(checked: Environment): Config {
  return {
    ...schemaOf(CORE_SETTINGS).parse(checked),
    of: settings => schemaOf(settings).parse(checked),
  };
}

/** The rules over several settings, of those that are right by themselves. */
const checkTogether = ({ all }: FeatureSet) =>
  z.custom<Config>().superRefine((config, context) => {
    for (const name of ['KAFKA_USERNAME', 'KAFKA_PASSWORD'] as const)
      if (config.KAFKA_SASL_MECHANISM && !config[name])
        context.addIssue({ code: 'custom', path: [name], message: 'must be set with KAFKA_SASL_MECHANISM' });
    for (const { checkSettings } of all) checkSettings?.(config, context);
  });

/** Reads the settings of a program with these features from an environment. Empty counts as unset, but for `DATA_DIR`. @throws WrongSettings */
export function readConfigOf(features: FeatureSet, env: Environment): Config {
  const settings = settingsOf(features);
  const { resolved: given, faults: doubled } = resolveAliases(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value)),
  );
  const known = Object.keys(settings);
  const faults = [
    ...doubled,
    ...mistypedSettings(Object.keys(given), known, lookalikeNamesOf(features)),
    ...mixedNetworks(given),
    ...(env['DATA_DIR'] === '' ? [EMPTY_DATA_DIR] : []),
  ];
  const each = z.object(settings).safeParse(given, DESCRIBED);
  const config = each.success ? configOf(given) : null;
  const issues = (config ? checkTogether(features).safeParse(config) : each).error?.issues ?? [];
  if (config && faults.length + issues.length === 0) return config;
  throw new WrongSettings([...faults, ...issues.map(issue => describeFault(issue, given))].join('\n'));
}

/** Of a variable that a script has not set: another folder would be used, or erased, than was meant. */
const EMPTY_DATA_DIR = 'DATA_DIR is empty: name the data folder, or leave the setting out for ./data';

/** Coins of a local network have no value: beside real ones they are shown only to those who have asked for them. */
function mixedNetworks(given: Environment): string[] {
  const settings = NETWORKS.map(networkSetting);
  const real = settings.find(name => given[name]?.includes('://'));
  if (!real) return [];
  return settings
    .filter(name => !given[name])
    .map(
      name =>
        `${name} is unset beside ${real}: name nodes of that network (${name}=https://...), do without it (${name}=off), or have a local one, whose coins are worth nothing (${name}=local)`,
    );
}

const SECRET = /_(SECRET|PASSWORD|MASTER_KEY|PRIVATE_KEY|API_KEY|ACCESS_TOKEN)$/;
const URL_NAME = /_URL(?:_|$)/;

/** The value is shown without the secrets in it. */
function describeFault({ path, message: what }: z.core.$ZodIssue, env: Environment): string {
  const [name, ...within] = path.map(String) as [string, ...string[]];
  const message = within.length > 0 ? `${within.join('/')}: ${what}` : what;
  const value = env[name] ?? '';
  if (SECRET.test(name)) return `${name}=[redacted]: ${message}`;
  const shown = URL_NAME.test(name) || value.includes('://') ? withoutSecrets(value) : value;
  return `${name}=${JSON.stringify(shown)}: ${message}`;
}

/**
 * What is meant to be a URL, without user information, path and query, where passwords and API keys are. It cannot be parsed;
 * a password with an `@` or a `/` in it is often the reason.
 */
function withoutSecrets(url: string): string {
  const [scheme = ''] = /^[\w+.-]+:\/\//.exec(url) ?? [];
  const hostAt = Math.max(scheme.length, url.lastIndexOf('@') + 1);
  const [host = ''] = /^[\w.:,[\]-]*/.exec(url.slice(hostAt)) ?? [];
  const isCut = hostAt + host.length < url.length;
  return `${scheme}${hostAt > scheme.length ? '[redacted]@' : ''}${host}${isCut ? '…' : ''}`;
}
