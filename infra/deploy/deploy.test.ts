import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../program/config';
import { createMetrics } from '../program/metrics';
import { ROLES } from '../program/roles';

const read = (file: string): string => readFileSync(join(__dirname, file), 'utf8');
const compose = read('compose.yaml');

test('every role has a service of its own', () => {
  const roles = [...compose.matchAll(/^ {2}([\w-]+):\n {4}<<: \*role\n {4}command: \[run, ([\w-]+)\]/gm)];
  expect(roles.map(([, service]) => service).sort()).toEqual([...ROLES].sort());
  for (const [, service, role] of roles) expect(role).toBe(service);
});

test('every setting of the services is one of the program', () => {
  const section = compose.slice(compose.indexOf('&settings'), compose.indexOf('depends_on'));
  const named = [...section.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(8);
  expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(named));
});

test('images are pinned', () => {
  const images = [...compose.matchAll(/image: (\S+)/g)].map(([, image]) => image!);
  expect(images.length).toBeGreaterThanOrEqual(7);
  for (const image of images) expect(image).toMatch(/:(?!latest)[\w.-]+$/);
});

test.each(['grafana/dashboards/tidemark.json', 'prometheus/alerts.yml'])(
  '%s uses metrics that the program has',
  async file => {
    const used = new Set([...read(file).matchAll(/\btidemark_\w+/g)].map(([name]) => name));
    const known = (await createMetrics().registry.getMetricsAsJSON()).map(({ name }) => name);
    expect(used.size).toBeGreaterThan(3);
    for (const name of used) expect(known).toContain(name.replace(/_(bucket|count|sum)$/, ''));
  },
);
