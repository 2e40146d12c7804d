import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../program/config';
import { createMetrics } from '../program/metrics';
import { ROLES } from '../program/roles/role';

const read = (file: string): string => readFileSync(join(__dirname, file), 'utf8');
const compose = read('compose.yaml');

test('every role has a service that plays it alone', () => {
  const played = [...compose.matchAll(/^ {2}([\w-]+):\n {4}<<: \*role\n {4}command: \[run, ([\w-]+)\]/gm)];
  expect(played.map(([, service]) => service).sort()).toEqual([...ROLES].sort());
  for (const [, service, role] of played) expect(role).toBe(service);
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
  '%s asks for metrics that the program has',
  async file => {
    const asked = new Set([...read(file).matchAll(/\btidemark_\w+/g)].map(([name]) => name));
    const had = (await createMetrics().registry.getMetricsAsJSON()).map(({ name }) => name);
    expect(asked.size).toBeGreaterThan(3);
    for (const name of asked) expect(had).toContain(name.replace(/_(bucket|count|sum)$/, ''));
  },
);
