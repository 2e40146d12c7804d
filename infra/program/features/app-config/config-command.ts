import { Command } from 'commander';
import { z } from 'zod';
import type { WithoutMetadata } from '../../../../contracts/decider';
import { APP_CONFIGS, appConfigStream, type AppConfigName } from '../../../../contracts/events/app-config';
import { APP_CONFIG_CONTENT } from '../../../../contracts/http/catalog/app-config';
import type { JsonObject } from '../../../../contracts/json/json';
import { TON_NETWORKS, type TonNetwork } from '../../../../contracts/network/network';
import {
  appConfigKind,
  type AppConfigCommand,
  type AppConfigVersion,
} from '../../../../services/app-config/decider';
import { differences } from '../../../../services/app-config/difference';
import { embeddedAppConfig } from '../../../../services/app-config/embedded';
import { appConfigVersions } from '../../../../services/app-config/versions';
import { networkMode } from '../../../config/network-settings';
import type { Config } from '../../../config/settings';
import { decideAsOperator } from '../../commands/operator';
import { list, print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { readJson } from '../../commands/read-json';
import { withEngines } from '../../commands/with-engines';

type Read = Pick<AppConfigVersion, 'version' | 'content'>;
type Named = { readonly document: AppConfigName; readonly network: TonNetwork };

/** What operators configure in wallets: `GET /appconfig/{network}` and `GET /appconfig/versions/{network}`. */
export function configCommand(config: () => Config): Command {
  return new Command('config')
    .description('the versioned documents that wallets read at /appconfig and /appconfig/versions')
    .addCommand(showCommand(config))
    .addCommand(setCommand(config))
    .addCommand(diffCommand(config))
    .addCommand(historyCommand(config))
    .addCommand(rollbackCommand(config));
}

/** A command about one document of one network. */
const about = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .argument('<document>', APP_CONFIGS.join(' or '))
    .argument('<network>', TON_NETWORKS.join(' or '));

const aDocument = { document: z.enum(APP_CONFIGS), network: z.enum(TON_NETWORKS) };
const version = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a number')
  .transform(Number);

const showInput = z.object({ ...aDocument, version: version.optional() });
const showCommand = (config: () => Config): Command =>
  about('show', 'print a version')
    .argument('[version]', 'from 1; 0 is the built-in one; default: the one in force')
    .action(
      async (document: string, network: string, version: string | undefined, _: object, command: Command) => {
        const input = parseInput(showInput, { document, network, version });
        const { content, ...shown } = await find(config(), input);
        print({ ...shown, content }, [JSON.stringify(content, null, 2)], command);
      },
    );

const diffInput = z.object({ ...aDocument, before: version, after: version.optional() });
const diffCommand = (config: () => Config): Command =>
  about('diff', 'print what differs between two versions')
    .argument('<before>', 'a version')
    .argument('[after]', 'another one; default: the one in force')
    .action(async (...given: [string, string, string, string | undefined, object, Command]) => {
      const [document, network, before, after, , command] = given;
      const input = parseInput(diffInput, { document, network, before, after });
      const left = await find(config(), { ...input, version: input.before });
      const right = await find(config(), { ...input, version: input.after });
      const differing = differences(left.content, right.content);
      print(
        { before: left.version, after: right.version, differences: differing },
        [
          `version ${left.version} to version ${right.version}`,
          ...differing.flatMap(({ path, before, after }) => [
            ...(before === undefined ? [] : [`- ${path}: ${JSON.stringify(before)}`]),
            ...(after === undefined ? [] : [`+ ${path}: ${JSON.stringify(after)}`]),
          ]),
        ],
        command,
      );
    });

const historyCommand = (config: () => Config): Command =>
  about('history', 'list the versions, oldest first').action(
    async (document: string, network: string, _: object, command: Command) => {
      const versions = await readVersions(config(), parseInput(z.object(aDocument), { document, network }));
      const rows = versions.map(({ version, at, by, restores }) => [
        String(version),
        at,
        by,
        restores === null ? '' : String(restores),
      ]);
      print({ versions }, list('versions', [['VERSION', 'PUBLISHED', 'BY', 'RESTORES'], ...rows]), command);
    },
  );

const setCommand = (config: () => Config): Command =>
  about('set', 'publish a new version')
    .argument('<file>', 'its whole content, JSON; - reads the standard input')
    .action(async (document: string, network: string, file: string, _: object, command: Command) => {
      const input = parseInput(z.object(aDocument), { document, network });
      const { document: name } = input;
      const content = (await readJson<z.ZodType>(file, APP_CONFIG_CONTENT[name])) as JsonObject;
      await change(config(), command, input, { type: 'publish', network: input.network, name, content });
    });

const rollbackInput = z.object({ ...aDocument, version });
const rollbackCommand = (config: () => Config): Command =>
  about('rollback', 'publish an earlier version again')
    .argument('<version>', 'from 1')
    .action(async (document: string, network: string, version: string, _: object, command: Command) => {
      const { version: to, ...input } = parseInput(rollbackInput, { document, network, version });
      await change(config(), command, input, { type: 'rollBack', to });
    });

async function change(
  config: Config,
  command: Command,
  { document, network }: Named,
  given: WithoutMetadata<AppConfigCommand>,
): Promise<void> {
  const { state, changed } = await decideAsOperator(config, command, {
    about: { document, network },
    kind: appConfigKind,
    stream: appConfigStream(document, network),
    given,
    subjectOf: versions => ({ version: String(versions.length) }),
  });
  const version = state.length;
  print(
    { document, network, version, changed },
    [`${document} of ${network}: version ${version}${changed ? '' : ', unchanged'}`],
    command,
  );
}

const readVersions = (config: Config, { document, network }: Named): Promise<AppConfigVersion[]> =>
  withEngines(config, ({ engines: { store } }) => appConfigVersions(store, document, network));

async function find(
  config: Config,
  { document, network, version }: Named & { readonly version?: number | undefined },
): Promise<Read> {
  const isLocal = networkMode(config, { chain: 'ton', network }) === 'local';
  const embedded = embeddedAppConfig(network, isLocal)[document];
  const versions: Read[] = [{ version: 0, content: embedded as JsonObject }];
  versions.push(...(await readVersions(config, { document, network })));
  const last = versions.length - 1;
  const found = versions[version ?? last];
  if (!found) throw new Error(`${document} of ${network} has no version ${version}: the last one is ${last}`);
  return found;
}
