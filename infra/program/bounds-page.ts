import type { Bound } from '../../contracts/bound';
import type { Quota } from '../../contracts/quota';
import { quotaSetting } from '../config/settings';
import { SHARED_BOUNDS } from './bounds';
import type { FeatureSet } from './feature';

const BEFORE = `# Limits

<!-- Written by \`npm run record-bounds\` from the bounds and quotas of the features. -->

Every resource that strangers can use up is bounded, and a stranger never displaces what belongs to somebody else. Each setting has its
exact meaning and its default in [.env.example](../.env.example). \`0\` means no limit unless it says otherwise.

"Address" means the IPv4 address of the caller, or the /64 network of its IPv6 address. Behind a proxy set \`TRUSTED_PROXIES\`;
otherwise all callers share the proxy's address and its limits.
With \`REDIS_URL\` quotas are shared by all processes; otherwise each process counts for itself.`;

const CALLS = `## Calls

Beyond the limit the answer is 429 \`rate_limited\` with \`Retry-After\`. \`EXCHANGE_REQUESTS_PER_SECOND\` bounds what the whole
installation asks of the exchange partner.`;

const ATTACKED =
  'A test uses up each of these as a stranger would; its file and title are beside the description of the bound (`attack`).';

const AFTER = 'Sizing and retention of the engines are in [deployment](../infra/deploy/README.md#sizing).';

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => ':-'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');

const quotaRow = (quota: Quota): string[] => [
  quota.of,
  quota.by,
  quota.perMinute.toLocaleString('en'),
  `\`${quotaSetting(quota)}\``,
];

/** All that strangers can use up of a program, beside calls. */
export function boundsOf({ all }: FeatureSet): readonly Bound[] {
  return [...SHARED_BOUNDS, ...all.flatMap(feature => feature.bounds ?? [])];
}

/** The page that lists what strangers can use up of a program: docs/bounds.md. */
export function boundsPage(features: FeatureSet): string {
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
    AFTER,
  ].join('\n\n')}\n`;
}
