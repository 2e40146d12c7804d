import { createAppServer } from '../../services/http/server';
import type { Config } from '../config/settings';
import type { CleanupStack } from './cleanup-stack';
import { close, listen } from './listen';
import type { Program } from './program';

/** Behind a proxy all connections are of its address: it is who limits those of a caller. */
const connectionLimits = ({ MAX_CONNECTIONS, MAX_CONNECTIONS_PER_CALLER, TRUSTED_PROXIES }: Config) => ({
  total: MAX_CONNECTIONS,
  perCaller: TRUSTED_PROXIES > 0 ? 0 : MAX_CONNECTIONS_PER_CALLER,
});

/** Serves what is under a path of the app as if it were its root. @returns the URL @throws WrongSettings */
export async function serve(
  cleanup: CleanupStack,
  config: Config,
  { app, deps, drain }: Program,
  { port, setting, basePath }: { readonly port: number; readonly setting: string; readonly basePath: string },
): Promise<string> {
  const server = createAppServer(app, {
    basePath,
    connectionLimits: connectionLimits(config),
    onRefused: () => deps.metrics.refusedConnections.inc(),
    onBroken: () => deps.metrics.brokenClients.inc({ protocol: 'request' }),
  });
  const url = await listen(server, { host: config.HOST, port, settings: { host: 'HOST', port: setting } });
  cleanup.defer(() => {
    drain();
    return close(server);
  });
  return url;
}
