import { MEBIBYTE } from '../config/bytes';
import type { Bound } from '../../contracts/bound';
import type { Quota } from '../../contracts/quota';
import type { Age } from '../../services/retention/retention';
import { MARGIN_DAYS } from '../../services/retention/unused-keys';
import { ageSetting, dailyQuotaSetting, quotaSetting } from '../config/settings';
import { SHARED_BOUNDS } from './bounds';
import type { FeatureSet } from './feature';
import { defaultsOf } from './settings/read-config';
import { MEMORY_LIMIT_BYTES, memoryMeasurements, memoryOf, memoryShares } from './memory';

const BEFORE = `# Limits

<!-- Written by \`npm run record-bounds\` from the bounds and quotas of the features. -->

Every resource that strangers can use up is bounded, and a stranger never displaces what belongs to somebody else. Numbers beside
settings are their defaults; [.env.example](../.env.example) has their exact meaning. \`0\` means no limit unless it says otherwise.

"Address" means the IPv4 address of the caller, or the /64 network of its IPv6 address. Behind a proxy set \`TRUSTED_PROXIES\`;
otherwise all callers share the proxy's address and its limits.
With \`REDIS_URL\` quotas are shared by all processes; otherwise each process counts for itself.`;

const CALLS = `## Calls

Beyond the limit the answer is 429 \`rate_limited\` with \`Retry-After\`, unless the table says otherwise.`;

const DAILY = `Calls that leave something for good have a limit in a day too, for all callers together. One caller may make a quarter of what the others
leave: if others have made 60,000 of 100,000, a quarter of 40,000. So there are always some for the next caller.`;

const RESOURCES = `## Everything else

A caller is an address, or, where calls have a token, its subject. "Whose" says who must not lose it to a stranger. Once all places are
taken, a caller with fewer may get one of the caller with most: the newest, whose call is then treated as one beyond the bound.`;

const AGE = `## Age

What callers without a token leave is deleted once nothing has been added to it for the number of days in the table; 0 keeps it. Its
documents go first, and its events but for one that records the removal; that one goes after the same number of days again. EventStoreDB frees
its disk with a [scavenge](../infra/deploy/README.md#retention).

The key that encrypts the personal texts of a wallet or a device goes, with its checkpoint, when it was last used longer ago than the longest
age of such texts and ${MARGIN_DAYS} days, and no text that is still stored needs it: that of a hidden review does. Keys stay where one of these ages is 0,
and where the texts of the wallet or device were erased before.`;

const MEMORY = `## Memory

This is what a process takes at most, with the default settings and all bounds reached; only large parts are counted. The manifests in
infra/deploy/kubernetes allow a process that callers connect to ${(MEMORY_LIMIT_BYTES / MEBIBYTE).toLocaleString('en')} MiB. Measured on Node 20 as the growth of the resident memory from 300 to 3,300 connections of eight
addresses, with \`node --max-semi-space-size=8\`, \`MALLOC_ARENA_MAX=2\` and all networks off: an idle connection 7.0 to 8.3 KiB, a call
that waits 17 to 18, an event stream 13 to 37, a WebSocket 20 to 46, each with its connection, the most with 16 kB of headers and, of a WebSocket, with a message that
is not complete, in as many parts as it may have. Calls of one kind were measured; the other waits are taken to weigh as much.`;

const AFTER = 'Sizing and retention of the engines are in [deployment](../infra/deploy/README.md#sizing).';

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => ':-'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const shown = (count: number): string => count.toLocaleString('en');

/** Shows the default of each setting that a text names, where it is a number. */
const addDefaults = (features: FeatureSet): ((text: string) => string) => {
  const defaultOf = defaultsOf(features);
  return text =>
    text.replace(/`([A-Z]+(?:_[A-Z]+)+)`/g, (name, setting: string) => {
      const byDefault = defaultOf(setting);
      return typeof byDefault === 'number' ? `${name} (${shown(byDefault)})` : name;
    });
};

const quotaRow = (quota: Quota): string[] => [
  quota.beyond ? `${quota.of} (beyond it: ${quota.beyond})` : quota.of,
  quota.by,
  shown(quota.perMinute),
  `\`${quotaSetting(quota)}\``,
];

const ageRow = (age: Age): string[] => [age.of, String(age.days), `\`${ageSetting(age)}\``];

/** All that strangers can use up of a program, beside calls. */
export function boundsOf(features: FeatureSet): readonly Bound[] {
  return [...features.quotas.flatMap(dailyBound), ...resourcesOf(features)];
}

const resourcesOf = ({ all }: FeatureSet): readonly Bound[] => [
  ...SHARED_BOUNDS,
  ...all.flatMap(feature => feature.bounds ?? []),
];

/** What all callers together may leave for good within a day. */
function dailyBound(quota: Quota): readonly Bound[] {
  if (quota.perDay === undefined) return [];
  return [
    {
      of: quota.of,
      owner: 'all callers',
      max: `\`${dailyQuotaSetting(quota)}\``,
      share: 'a quarter of what the others leave',
      beyond: quota.beyond ?? '429 `rate_limited`',
      attack: quota.attack ?? {
        file: 'test/e2e/daily-quotas.test.ts',
        test: 'a stranger who has had its share of a day of %s keeps nobody else from being served',
      },
    },
  ];
}

/** The page that lists what strangers can use up of a program: docs/bounds.md. */
export function boundsPage(features: FeatureSet): string {
  const shares = memoryShares(features);
  const withDefaults = addDefaults(features);
  return `${[
    BEFORE,
    CALLS,
    table(['Calls', 'Counted by', 'A minute', 'Setting'], features.quotas.map(quotaRow)),
    DAILY,
    table(
      ['Calls', 'In a day', 'Beyond it'],
      features.quotas.flatMap(dailyBound).map(({ of, max, beyond }) => [of, withDefaults(max), beyond]),
    ),
    RESOURCES,
    table(
      ['What', 'Whose', 'In all', 'Of one caller', 'Beyond it'],
      resourcesOf(features).map(({ of, owner, max, share, beyond }) =>
        [of, owner, max, share, beyond].map(withDefaults),
      ),
    ),
    resourcesOf(features)
      .flatMap(({ of, note }) =>
        note === undefined ? [] : `- **${capitalized(of)}.** ${withDefaults(note)}`,
      )
      .join('\n'),
    [AGE, ...features.ages.flatMap(({ note }) => note ?? []).map(withDefaults)].join('\n\n'),
    table(['What', 'Days', 'Setting'], features.ages.map(ageRow)),
    [MEMORY, ...memoryMeasurements(features)].join('\n\n'),
    table(
      ['What', 'At most', 'MiB'],
      [
        ...shares.map(({ of, bound, mebibytes }) => [of, withDefaults(bound), shown(mebibytes)]),
        ['together', '', shown(memoryOf(shares))],
      ],
    ),
    AFTER,
  ].join('\n\n')}\n`;
}
