import { createServer } from 'node:net';
import { ownHosts } from './feature-set';
import { FEATURES } from './features';
import { listen, type ListenOptions } from './listen';
import { operatorsAddress } from './operators';
import { localPortOffsets, networksOf } from '../config/network-settings';
import type { Config } from '../config/settings';

/**
 * Binds every port of the process and releases it again: before anything is opened, so that a taken one is known at once.
 * @throws CannotListen naming the setting of one that cannot be bound
 */
export async function assertPortsFree(config: Config, roles: readonly string[]): Promise<void> {
  const bound = portsOf(config, roles).map(options => {
    const server = createServer();
    return { server, listening: listen(server, options) };
  });
  const results = await Promise.allSettled(bound.map(({ listening }) => listening));
  await Promise.all(bound.map(({ server }) => new Promise(closed => server.close(closed))));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

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
