import { MEBIBYTE } from '../config/bytes';
import type { Bound } from '../../contracts/bound';
import type { Quota } from '../../contracts/quota';
import type { Age } from '../../services/retention/retention';
import { ageSetting, dailyQuotaSetting, quotaSetting } from '../config/settings';
import { SHARED_BOUNDS } from './bounds';
import type { FeatureSet } from './feature';
import { MEMORY_LIMIT_BYTES, memoryMeasurements, memoryOf, memoryShares } from './memory';

const BEFORE = `# Limits

<!-- Written by \`npm run record-bounds\` from the bounds and quotas of the features. -->

Every resource that strangers can use up is bounded, and a stranger never displaces what belongs to somebody else. Each setting has its
exact meaning and its default in [.env.example](../.env.example). \`0\` means no limit unless it says otherwise.

"Address" means the IPv4 address of the caller, or the /64 network of its IPv6 address. Behind a proxy set \`TRUSTED_PROXIES\`;
otherwise all callers share the proxy's address and its limits.
With \`REDIS_URL\` quotas are shared by all processes; otherwise each process counts for itself.`;

const CALLS = `## Calls

Beyond the limit the answer is 429 \`rate_limited\` with \`Retry-After\`, unless the table says otherwise.`;

const ATTACKED =
  'A caller is an address, or, where calls have a token, its subject. In the code, `attack` beside the description of each bound names the test in which it is used up while others are served.';

const AGE = `## Age

What callers without a token leave is deleted once nothing has been added to it for the number of days in the table; 0 keeps it. Its
documents go first, with all of its events but one that says so; that one goes after the same number of days again. EventStoreDB gives the room on its disk back with a
[scavenge](../infra/deploy/README.md#sizing).`;

const MEMORY = `## Memory

What a process takes whose bounds are all reached, with the defaults: the manifests in infra/deploy/kubernetes let a process that
callers connect to have ${inMebibytes(MEMORY_LIMIT_BYTES)} MiB. Measured on Node 20 as the growth of the resident memory from 300 to 3,300 connections of eight
addresses, with \`node --max-semi-space-size=8\`, \`MALLOC_ARENA_MAX=2\` and all networks off: an idle connection 7.0 to 8.3 KiB, a call
that waits 17 to 18, an event stream 13 to 31, a WebSocket 53 to 54, each with its connection. Calls of one kind were measured; the other
waits are taken to weigh as much. Cached documents and the counters of quotas, half a KiB for each address and quota in a minute, are not in this sum.`;

const AFTER = 'Sizing and retention of the engines are in [deployment](../infra/deploy/README.md#sizing).';

function inMebibytes(bytes: number): string {
  return Math.ceil(bytes / MEBIBYTE).toLocaleString('en');
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => ':-'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');

const quotaRow = (quota: Quota): string[] => [
  quota.beyond ? `${quota.of} (beyond it: ${quota.beyond})` : quota.of,
  quota.by,
  quota.perMinute.toLocaleString('en'),
  `\`${quotaSetting(quota)}\``,
];

const ageRow = (age: Age): string[] => [age.of, String(age.days), `\`${ageSetting(age)}\``];

/** All that strangers can use up of a program, beside calls. */
export function boundsOf({ all, quotas }: FeatureSet): readonly Bound[] {
  return [...SHARED_BOUNDS, ...quotas.flatMap(dailyBound), ...all.flatMap(feature => feature.bounds ?? [])];
}

/** What all callers together may leave for good within a day. */
function dailyBound(quota: Quota): readonly Bound[] {
  if (quota.perDay === undefined) return [];
  return [
    {
      of: `within a day: ${quota.of}`,
      owner: 'all callers',
      max: `\`${dailyQuotaSetting(quota)}\``,
      share: 'a quarter of what the others leave',
      beyond: quota.beyond ?? '429 `rate_limited`',
      attack: {
        file: 'test/apps/daily-share.test.ts',
        test: 'what one caller leaves for good within a day is a share, beside which others leave theirs',
      },
    },
  ];
}

/** The page that lists what strangers can use up of a program: docs/bounds.md. */
export function boundsPage(features: FeatureSet): string {
  const shares = memoryShares(features);
  return `${[
    BEFORE,
    CALLS,
    table(['Calls', 'Counted by', 'A minute', 'Setting'], features.quotas.map(quotaRow)),
    '## Everything else',
    ATTACKED,
    table(
      ['What', 'Whose', 'In all', 'Of one caller', 'Beyond it'],
      boundsOf(features).map(({ of, owner, max, share, beyond }) => [of, owner, max, share, beyond]),
    ),
    [AGE, ...features.ages.flatMap(({ note }) => note ?? [])].join('\n\n'),
    table(['What', 'Days', 'Setting'], features.ages.map(ageRow)),
    [MEMORY, ...memoryMeasurements(features)].join('\n\n'),
    table(
      ['What', 'At most', 'MiB'],
      [
        ...shares.map(({ of, bound, bytes }) => [of, bound, inMebibytes(bytes)]),
        ['together', '', inMebibytes(memoryOf(shares))],
      ],
    ),
    AFTER,
  ].join('\n\n')}\n`;
}
