import { canonicalJson } from '../../contracts/json/canonical-json';
import { refuse, type CommandMetadata } from '../../contracts/decider';
import { bannerEvents, bannerId, type BannerEvent, type BannerPlace } from '../../contracts/events/banner';
import type { JsonObject } from '../../contracts/json/json';
import type { StreamKind } from '../commands/stream-kind';

export type BannerCommand = {
  readonly place: BannerPlace;
  readonly id: string;
  readonly metadata: CommandMetadata;
} & ({ readonly type: 'publish'; readonly content: JsonObject } | { readonly type: 'retire' });

/** What is published under an id; null before it was published, and once it is retired. */
export const bannerKind: StreamKind<JsonObject | null, BannerCommand, BannerEvent> = {
  events: bannerEvents,
  decider: {
    initial: () => null,
    evolve: (_, { type, data }) => (type === 'BannerPublished' ? data.content : null),
    decide(content, command) {
      const { place, id } = command;
      const { now: at, actor: by } = command.metadata;
      if (command.type === 'publish') {
        if (content && canonicalJson(content) === canonicalJson(command.content)) return [];
        return [{ type: 'BannerPublished', data: { place, id, content: command.content, at, by } }];
      }
      if (!content) return refuse('banner_not_found', `Nothing is published as ${bannerId(place, id)}.`);
      return [{ type: 'BannerRetired', data: { place, id, at, by } }];
    },
  },
};
