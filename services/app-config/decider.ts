import { canonicalJson } from '../../contracts/json/canonical-json';
import { refuse, type CommandMetadata } from '../../contracts/decider';
import { appConfigEvents, type AppConfigEvent, type AppConfigName } from '../../contracts/events/app-config';
import type { JsonObject } from '../../contracts/json/json';
import type { TonNetwork } from '../../contracts/network/network';
import type { StreamKind } from '../commands/stream-kind';

interface Publish {
  readonly type: 'publish';
  readonly name: AppConfigName;
  readonly network: TonNetwork;
  readonly content: JsonObject;
  readonly metadata: CommandMetadata;
}

interface RollBack {
  readonly type: 'rollBack';
  readonly to: number;
  readonly metadata: CommandMetadata;
}

export type AppConfigCommand = Publish | RollBack;

export type AppConfigVersion = AppConfigEvent['data'];

/** Every version of a document, the last one in force. What is in force already is not published again. */
export const appConfigKind: StreamKind<readonly AppConfigVersion[], AppConfigCommand, AppConfigEvent> = {
  events: appConfigEvents,
  decider: {
    initial: () => [],
    evolve: (versions, { data }) => [...versions, data],
    decide(versions, command) {
      const { now: at, actor: by } = command.metadata;
      const version = versions.length + 1;
      if (command.type === 'publish') {
        const { name, network, content } = command;
        if (isInForce(versions, content)) return [];
        return [publishedAs({ name, network, version, content, restores: null, at, by })];
      }
      const earlier = versions[command.to - 1];
      if (!earlier) return refuse('app_config_not_found', `There is no version ${command.to}.`);
      if (isInForce(versions, earlier.content)) return [];
      return [publishedAs({ ...earlier, version, restores: earlier.version, at, by })];
    },
  },
};

const publishedAs = (data: AppConfigVersion): AppConfigEvent => ({ type: 'AppConfigPublished', data });

const isInForce = (versions: readonly AppConfigVersion[], content: JsonObject): boolean => {
  const last = versions.at(-1);
  return last !== undefined && canonicalJson(last.content) === canonicalJson(content);
};
