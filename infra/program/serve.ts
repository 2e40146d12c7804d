import { createAppServer } from '../../services/http/server';
import { UNFINISHED_LIMITS } from '../../services/http/unfinished';
import type { Config } from '../config/settings';
import type { CleanupStack } from './cleanup-stack';
import { close, listen } from './listen';
import type { Program } from './program';

/** Behind a proxy all connections are of its address: it is who limits those of a caller. */
function limitsOf({
  MAX_CONNECTIONS: total,
  MAX_CONNECTIONS_PER_CALLER: perCaller,
  TRUSTED_PROXIES,
}: Config) {
  const isProxied = TRUSTED_PROXIES > 0;
  return {
    connectionLimits: { total, perCaller: isProxied ? 0 : perCaller },
    unfinishedLimits: { ...UNFINISHED_LIMITS, ...(isProxied && { perCaller: UNFINISHED_LIMITS.total }) },
  };
}

/** Serves what is under a path of the app as if it were its root. @returns the URL @throws WrongSettings */
export async function serve(
  cleanup: CleanupStack,
  config: Config,
  { app, deps, drain }: Program,
  { port, setting, basePath }: { readonly port: number; readonly setting: string; readonly basePath: string },
): Promise<string> {
  const server = createAppServer(app, {
    basePath,
    ...limitsOf(config),
    // Those that read them from SQLite take turns as they arrive.
    namesCallers: config.MONGODB_URL !== undefined,
    onRefused: () => deps.metrics.refusedConnections.inc(),
    onBroken: () => deps.metrics.brokenClients.inc({ protocol: 'request' }),
  });
  const url = await listen(server, { host: config.HOST, port, settings: { host: 'HOST', port: setting } });
  cleanup.defer(() => close(server, drain()));
  return url;
}
