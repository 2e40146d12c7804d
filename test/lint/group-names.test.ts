import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NETWORKS } from '../../contracts/network/network';
import { ageSetting, quotaSetting } from '../../infra/config/settings';
import type { Feature } from '../../infra/program/feature';
import { featureSet } from '../../infra/program/feature-set';
import { FEATURES } from '../../infra/program/features';
import { rolesOf } from '../../infra/program/roles';

const ROOT = join(__dirname, '..', '..');

const PROGRAM = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '--deduplicate', 'infra/program/*.ts'],
  {
    cwd: ROOT,
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n')
  .filter(file => !/\.test\.ts$|^infra\/program\/features(?:\/|\.ts$)/.test(file));

/** Roles that a program has without any group, and chains, which all groups share. */
const SHARED: readonly string[] = [...rolesOf(featureSet([])), ...NETWORKS.map(({ chain }) => chain)];

const rolesOfGroup = ({ workers = [] }: Feature): string[] =>
  workers.map(({ role }) => role).filter(role => !SHARED.includes(role) && !role.startsWith('indexer-'));

/** What only one group has, as it is written in code. */
const NAMES = FEATURES.all.flatMap(feature => {
  const {
    name,
    settings = {},
    renamedSettings = {},
    quotas = [],
    ages = [],
    retentions = [],
    projections = [],
  } = feature;
  const words = [
    ...Object.keys(settings).filter(
      setting => FEATURES.all.filter(each => setting in (each.settings ?? {})).length === 1,
    ),
    ...Object.keys(renamedSettings),
    ...quotas.map(quotaSetting),
    ...[...ages, ...retentions].map(ageSetting),
  ];
  const texts = [
    ...[name, ...rolesOfGroup(feature)],
    ...quotas.map(quota => quota.name),
    ...[...ages, ...retentions].map(age => age.name),
    ...projections.map(projection => projection.name),
  ].filter(text => !SHARED.includes(text));
  return [...words.map(word => `\\b${word}\\b`), ...texts.map(text => `['"\`]${text}['"\`]`)];
});

/** Words that mean something else here than the name of a group or of its quota. */
const OTHER_MEANINGS = [
  // The file of the master key: a name in every data folder.
  "infra/program/commands/command.ts: 'erasure'",
  // What a program that is not ready still does.
  "infra/program/health/health-checks.ts: 'reads'",
  "infra/program/health/health-checks.ts: 'writes'",
  "infra/program/health/health.ts: 'reads'",
  "infra/program/health/health.ts: 'writes'",
  "infra/program/health/outages.ts: 'reads'",
  "infra/program/health/outages.ts: 'writes'",
  "infra/program/loss/loss-guard.ts: 'writes'",
  "infra/program/personal-texts.ts: 'erasure'",
];

it('the program names nothing that belongs to one functional group', () => {
  expect(NAMES.length).toBeGreaterThan(100);
  const pattern = new RegExp(NAMES.join('|'), 'g');
  const named = PROGRAM.flatMap(file =>
    (readFileSync(join(ROOT, file), 'utf8').match(pattern) ?? []).map(name => `${file}: ${name}`),
  );
  expect([...new Set(named)].sort()).toEqual(OTHER_MEANINGS);
});
