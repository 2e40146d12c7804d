import { Command } from 'commander';
import { z } from 'zod';
import type { WithoutMetadata } from '../../../../contracts/decider';
import {
  BANNER_CATEGORY,
  BANNER_PLACES,
  bannerEvents,
  bannerStream,
  type BannerPlace,
} from '../../../../contracts/events/banner';
import { adViewer, BANNER_CONTENT } from '../../../../contracts/http/catalog/banners';
import type { JsonObject } from '../../../../contracts/json/json';
import { TON_NETWORKS } from '../../../../contracts/network/network';
import type { EventStore } from '../../../../contracts/ports/event-store';
import { bannerKind, type BannerCommand } from '../../../../services/banners/decider';
import { adOfDay, whyNotFor, whyNotNow, whyNowhere } from '../../../../services/banners/shown';
import { lastEvents } from '../../../../services/commands/last-events';
import type { Config } from '../../../config/settings';
import { decideAsOperator } from '../../commands/operator';
import { list, print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { readJson } from '../../commands/read-json';
import { withEngines } from '../../commands/with-engines';

/** What wallets show at `GET /wallet/banners`, `/wallet/card-service/banners` and `/ads/banners`. */
export function bannersCommand(config: () => Config): Command {
  return new Command('banners')
    .description('banners and advertisements that wallets show')
    .addCommand(publishCommand(config))
    .addCommand(retireCommand(config))
    .addCommand(explainCommand(config));
}

const place = z.enum(BANNER_PLACES);
const PLACES = BANNER_PLACES.join(', ');

const publishCommand = (config: () => Config): Command =>
  new Command('publish')
    .description('publish a banner, replacing any earlier one with the same id')
    .argument('<place>', PLACES)
    .argument('<file>', 'the banner as wallets read it, JSON; - reads the standard input')
    .action(async (given: string, file: string, _: object, command: Command) => {
      const input = parseInput(z.object({ place }), { place: given });
      const content = (await readJson(file, BANNER_CONTENT[input.place])) as JsonObject;
      await change(config(), command, { type: 'publish', ...input, id: String(content['id']), content });
    });

const retired = z.object({ place, id: z.string().min(1).max(64) });
const retireCommand = (config: () => Config): Command =>
  new Command('retire')
    .description('retire a banner')
    .argument('<place>', PLACES)
    .argument('<id>', 'of the banner')
    .action(async (place: string, id: string, _: object, command: Command) => {
      await change(config(), command, { type: 'retire', ...parseInput(retired, { place, id }) });
    });

async function change(
  config: Config,
  command: Command,
  given: WithoutMetadata<BannerCommand>,
): Promise<void> {
  const { place, id } = given;
  const { changed } = await decideAsOperator(config, command, {
    about: { place, id },
    kind: bannerKind,
    stream: bannerStream(place, id),
    given,
  });
  const isPublished = given.type === 'publish';
  // A wallet shows it later, or never: its dates may be in seconds.
  const why = isPublished ? whyNotShown(place, given.content) : null;
  const done = isPublished ? 'published' : 'retired';
  print(
    { place, id, changed, ...(isPublished && { why }) },
    [`${place} ${id}: ${changed ? done : 'is the same'}${why === null ? '' : `; not shown now: ${why}`}`],
    command,
  );
}

function whyNotShown(place: BannerPlace, content: JsonObject): string | null {
  const now = whyNotNow(BANNER_CONTENT[place].parse(content), Date.now());
  return now ?? (place === 'advertisement' ? null : whyNowhere(BANNER_CONTENT[place].parse(content)));
}

const explained = z.object({
  place,
  at: z.iso.datetime().transform(instant => Date.parse(instant)),
  network: z.enum(TON_NETWORKS).optional(),
  ...adViewer.partial().shape,
});

/** What a wallet would see, and why it does not see the others. */
const explainCommand = (config: () => Config): Command =>
  new Command('explain')
    .description('list the banners of a place, and why a wallet does not show one')
    .argument('<place>', PLACES)
    .option('--at <instant>', 'such as 2026-12-24T18:00:00Z; default: now')
    .option('--network <network>', 'of a wallet: mainnet or testnet; default: any')
    .option('--app-version <version>', 'of a wallet; default: any')
    .option('--platform <platform>', 'of a wallet: ios or android; default: any')
    .option('--language <language>', 'of a wallet, such as en-GB; default: any')
    .action(async (place: string, flags: Flags, command: Command) => {
      const { appVersion: version, at = new Date().toISOString(), network, platform, language } = flags;
      const input = parseInput(explained, { place, at, network, version, platform, language });
      const published = await withEngines(config(), ({ engines }) => readBanners(engines.store, input.place));
      const banners = explain(published, input);
      const rows = banners.map(({ id, shown, why }) => [id, shown ? 'shown' : 'not shown', why ?? '']);
      print(
        { place: input.place, at: new Date(input.at).toISOString(), banners },
        list('banners', [['BANNER', 'STATE', 'WHY'], ...rows]),
        command,
      );
    });

interface Flags {
  readonly at?: string;
  readonly network?: string;
  readonly appVersion?: string;
  readonly platform?: string;
  readonly language?: string;
}

interface Explained {
  readonly id: string;
  readonly shown: boolean;
  readonly why: string | null;
}

function explain(published: readonly JsonObject[], input: z.output<typeof explained>): Explained[] {
  if (input.place !== 'advertisement') {
    const { place } = input;
    return published.map(content => {
      const banner = BANNER_CONTENT[place].parse(content);
      // Served to all: wallets of the main network leave it out.
      const isForOthers = banner.is_test && input.network === 'mainnet';
      const why = whyNotNow(banner, input.at) ?? whyNowhere(banner) ?? (isForOthers ? 'for testnet' : null);
      return { id: String(content['id']), shown: why === null, why };
    });
  }
  const ads = published.map(content => BANNER_CONTENT.advertisement.parse(content));
  const whyNot = new Map(ads.map(ad => [ad, whyNotNow(ad, input.at) ?? whyNotForAny(ad, input)]));
  const chosen = adOfDay(
    ads.filter(ad => whyNot.get(ad) === null),
    input.at,
  );
  return ads.map(ad => {
    const why = whyNot.get(ad) ?? (ad === chosen ? null : `another one that day: ${chosen?.id}`);
    return { id: ad.id, shown: ad === chosen, why };
  });
}

/** As `whyNotFor`, where what is unknown of the wallet excludes nothing. */
function whyNotForAny(
  ad: z.output<(typeof BANNER_CONTENT)['advertisement']>,
  { version, platform, language }: z.output<typeof explained>,
): string | null {
  return whyNotFor(ad, {
    version: version ?? ad.min_version ?? ad.max_version ?? '0',
    platform: platform ?? ad.platforms?.[0] ?? 'ios',
    language: language ?? ad.languages?.[0] ?? 'en',
  });
}

async function readBanners(
  store: Pick<EventStore, 'readAll'>,
  place: (typeof BANNER_PLACES)[number],
): Promise<JsonObject[]> {
  const changes = await lastEvents(store, BANNER_CATEGORY, bannerEvents);
  return changes.flatMap(({ type, data }) =>
    type === 'BannerPublished' && data.place === place ? [data.content] : [],
  );
}
