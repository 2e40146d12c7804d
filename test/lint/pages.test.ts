import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { ADMIN_ACCESS } from '../../contracts/http/billing/access';
import { COMMANDS } from '../../infra/cli/commands';
import { lastMonths } from '../../infra/program/features/billing/demo/fees';
import { isAnswerShown, tourStops } from '../e2e/tour-stops';
import { ENDPOINTS } from '../endpoints';

const ROOT = join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('the README', () => {
  it('can be read in minutes', () => {
    expect(statSync(join(ROOT, 'README.md')).size).toBeLessThanOrEqual(8_000);
  });

  it('shows the answer of each of its five calls', () => {
    const calls = read('README.md').split('## Five calls')[1]!.split('\n## ')[0]!;
    expect(tourStops(calls).map(({ shown }) => shown !== undefined)).toEqual(Array(5).fill(true));
  });
});

describe('the tour', () => {
  it('shows answers, and every block of it is run', () => {
    const page = read('docs/tour.md');
    const stops = tourStops(page);
    expect(stops.length).toBe(page.match(/^```sh$/gm)!.length);
    expect(stops.filter(({ shown }) => shown !== undefined).length).toBe(
      page.match(/^```(json|text)$/gm)!.length,
    );
    // Tools are only defined.
    expect(stops.filter(({ shown }) => shown === undefined).length).toBeLessThanOrEqual(2);
  });

  it('is compared with what is printed, but for white space and what it leaves out', () => {
    expect(isAnswerShown('{"a": 1, "b": …}', 'before\n{"a":1,"b":[2]}')).toBe(true);
    expect(isAnswerShown('{"a": 1, …, "c": 3}', '{"a":1,"b":2,"c":3}')).toBe(true);
    expect(isAnswerShown('{"a": 1, …, "b": 2}', '{"b":2,"a":1}')).toBe(false);
    expect(isAnswerShown('{"a": 2}', '{"a":1}')).toBe(false);
  });
});

it.each(['README.md', 'docs/tour.md'])('%s names the port of the program once in what is typed', page => {
  const typed = tourStops(read(page)).flatMap(({ script }) => script.split('\n'));
  expect(typed.filter(line => /(localhost|127\.0\.0\.1):\d/.test(line))).toEqual([
    'TIDEMARK=http://localhost:3000',
  ]);
});

it.each(['README.md', 'docs/tour.md'])(
  '%s bills other months than a demonstration, which may be there',
  page => {
    const [older] = lastMonths(new Date());
    const billed = [...read(page).matchAll(/"billingPeriod":"(\d{4}-\d\d)"/g)].map(([, month]) => month!);
    expect(billed.length).toBeGreaterThan(0);
    expect(billed.filter(month => month >= older)).toEqual([]);
  },
);

describe('the page of features', () => {
  const [index, ...sections] = read('docs/features.md').split(/^## /m);
  /** What works, and what does not. */
  const parts = sections.map(section => section.split('\n**Lacks**'));

  it('has in each section first what works, then what it lacks', () => {
    for (const [works, ...lacks] of parts) {
      expect(works).toMatch(/^.*\n\n- /);
      expect([works, lacks]).toEqual([works, [expect.stringMatching(/^(: nothing known\.\n|\n\n- )/)]]);
    }
  });

  it('is in the order of the table of the README', () => {
    const groupsOf = (page: string) => [...page.matchAll(/^\| ([A-Z][\w' ]*) \|/gm)].map(([, name]) => name!);
    const [, listed] = read('README.md').split('## What works');
    expect(groupsOf(index!).slice(1)).toEqual(groupsOf(listed!).slice(1));
    const linked = [...index!.matchAll(/\[([^\]]*)\]\(#/g)].map(([, name]) => name!);
    expect(sections.map(section => section.split('\n')[0])).toEqual(linked);
  });

  it('has a section for each group of endpoints, and no other', () => {
    const groups = sections.map(section => section.split('\n')[0]!);
    expect(groups.sort()).toEqual([...new Set(ENDPOINTS.map(({ group }) => group))].sort());
  });

  it('lists every action of billing', () => {
    for (const action of Object.keys(ADMIN_ACCESS))
      expect(parts.map(([works]) => works).join('')).toContain(`\`${action}\``);
  });

  it('calls nothing absent that is served', () => {
    const absent = parts.map(([, lacks]) => lacks).join('');
    const paths = [...absent.matchAll(/`(\/[^`]*)`/g)].map(([, path]) => path!);
    for (const path of paths)
      expect([path, ENDPOINTS.filter(endpoint => endpoint.path.startsWith(path)).length]).toEqual([path, 0]);
  });
});

it('the page of operations lists every command', () => {
  expect(COMMANDS.length).toBeGreaterThan(10);
  const [, listed] = read('docs/operations.md').split('## Commands');
  for (const { name } of COMMANDS) expect(listed).toContain(`\`${name}\``);
});

it('the page of limits names settings that exist, and every limit of calls', () => {
  const settings = read('.env.example');
  const named = new Set(
    [...read('docs/bounds.md').matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name]) => name!),
  );
  for (const name of named) expect(settings).toMatch(new RegExp(`^# ${name}=`, 'm'));
  for (const [, name] of settings.matchAll(/^# (RATE_LIMIT_[A-Z_]+)=/gm)) expect(named).toContain(name);
});

it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('files and folders that %s names exist', page => {
  const named = [
    ...read(page).matchAll(/`((?:contracts|projections|indexers|services|infra|test|docs)\/[^`<]*)`/g),
  ];
  expect(named.length).toBeGreaterThan(20);
  for (const [, path] of named) expect([path, existsSync(join(ROOT, path!))]).toEqual([path, true]);
});

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter(page => existsSync(join(ROOT, page)));

it('commands to type have no comments: an interactive zsh takes them for arguments', () => {
  const commented = pages.flatMap(page =>
    [...read(page).matchAll(/^ *```sh$([^]*?)^ *```$/gm)]
      .flatMap(([, script]) => script!.split('\n'))
      .filter(line => /(^|\s)#/.test(line))
      .map(line => `${page}: ${line}`),
  );
  expect(commented).toEqual([]);
});

it('links between the pages lead somewhere', () => {
  const broken = pages.flatMap(page =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
      .filter(([, file, heading]) => !leads(page, file!, heading))
      .map(([link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

function leads(page: string, file: string, heading: string | undefined): boolean {
  const target = file === '' ? join(ROOT, page) : join(ROOT, dirname(page), file);
  if (!existsSync(target)) return false;
  return heading === undefined || headingsOf(readFileSync(target, 'utf8')).has(heading);
}

/** As GitHub makes them: lower case, punctuation removed, spaces as hyphens. */
const headingsOf = (page: string): Set<string> =>
  new Set(
    [...page.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
