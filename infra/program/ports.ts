import { createServer } from 'node:net';
import { ownHosts } from './feature-set';
import { FEATURES } from './features';
import { listen, type ListenOptions } from './listen';
import { assertUnclaimed } from '../engines/data-dir-claim';
import { isDistributed } from '../engines/engines';
import { CannotListen, WrongSettings, type Config } from '../config/settings';
import { operatorsAddress } from './operators';
import { localPortOffsets, networksOf } from '../config/network-settings';

/**
 * Binds every port of the process and releases it again: before anything is opened, so that taken ones are known at once.
 * @throws WrongSettings naming all settings of which two are one port; CannotListen naming all whose port cannot be bound, or
 * CannotOpen where a program on the same data folder has them
 */
export async function assertPortsFree(config: Config, roles: readonly string[]): Promise<void> {
  const ports = portsOf(config, roles);
  assertDifferent(ports);
  const bound = ports.map(options => {
    const server = createServer();
    return { server, listening: listen(server, options) };
  });
  const results = await Promise.allSettled(bound.map(({ listening }) => listening));
  await Promise.all(bound.map(({ server }) => new Promise(closed => server.close(closed))));
  const faults = new Map<string, CannotListen>();
  for (const [index, result] of results.entries()) {
    const { port } = ports[index]!.settings;
    if (result.status === 'rejected' && !faults.has(port)) faults.set(port, result.reason as CannotListen);
  }
  if (faults.size === 0) return;
  if (!isDistributed(config)) assertUnclaimed(config.DATA_DIR);
  const taken = [...faults].filter(([, { cause }]) => isTaken(cause)).map(([setting]) => setting);
  const others = taken.length > 0 ? [`set others, such as ${othersOf(ports, taken).join(' ')}`] : [];
  throw new CannotListen([...[...faults.values()].map(({ message }) => message), ...others].join('\n'));
}

const isTaken = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';

/** From a port to one that the neighbours of the program on it do not have. */
const ASIDE = 100;
const MAX_PORT = 65_535;

/** What to type where the ports of these settings are taken: none of them is a port of another setting. */
function othersOf(ports: readonly ListenOptions[], taken: readonly string[]): string[] {
  const used = new Set(ports.map(({ port }) => port));
  return taken.map(setting => {
    const own = ports.filter(({ settings }) => settings.port === setting).map(({ port }) => port);
    const aside = distancesFrom(own).find(distance => own.every(port => !used.has(port + distance))) ?? ASIDE;
    for (const port of own) used.add(port + aside);
    return `${setting}=${own[0]! + aside}`;
  });
}

/** By how much these ports can be moved together, up where possible. */
function distancesFrom(ports: readonly number[]): number[] {
  const distances = Array.from({ length: MAX_PORT / ASIDE }, (_, i) => (i + 1) * ASIDE);
  return [...distances, ...distances.map(distance => -distance)].filter(distance =>
    ports.every(port => port + distance > 0 && port + distance <= MAX_PORT),
  );
}

/** @throws WrongSettings */
function assertDifferent(ports: readonly ListenOptions[]): void {
  const faults = ports.flatMap((each, index) => {
    const same = ports.slice(0, index).find(earlier => isSame(earlier, each));
    return same ? [`${nameOf(each)} is the same as ${same.settings.port}: ${each.port}`] : [];
  });
  if (faults.length > 0) throw new WrongSettings(faults.join('\n'));
}

const nameOf = ({ settings: { port } }: ListenOptions): string =>
  port === 'LOCAL_NETWORK_PORT' ? `a port from ${port} on` : port;

const EVERY_ADDRESS = ['0.0.0.0', '::'];

const isSame = (a: ListenOptions, b: ListenOptions): boolean =>
  a.port === b.port &&
  a.port !== 0 &&
  (a.host === b.host || [a, b].some(({ host }) => EVERY_ADDRESS.includes(host)));

function portsOf(config: Config, roles: readonly string[]): ListenOptions[] {
  const { HOST, PORT, LOCAL_NETWORK_HOST, LOCAL_NETWORK_PORT } = config;
  const own = (port: number, setting: string) => ({
    host: HOST,
    port,
    settings: { host: 'HOST', port: setting },
  });
  const local =
    LOCAL_NETWORK_PORT === 0 || !roles.includes('networks')
      ? []
      : networksOf(config, 'local').flatMap(localPortOffsets);
  return [
    own(PORT, 'PORT'),
    ...ownHosts(FEATURES, config, roles).map(({ port, setting }) => own(port, setting)),
    operatorsAddress(config),
    ...local.map(offset => ({
      host: LOCAL_NETWORK_HOST,
      port: LOCAL_NETWORK_PORT + offset,
      settings: { host: 'LOCAL_NETWORK_HOST', port: 'LOCAL_NETWORK_PORT' },
    })),
  ];
}
