import { createAppServer } from '../../services/http/server';
import type { Config } from '../config/settings';
import type { CleanupStack } from './cleanup-stack';
import { close, listen } from './listen';
import type { Program } from './program';

/** Serves what is under a path of the app as if it were its root. @returns the URL @throws WrongSettings */
export async function serve(
  cleanup: CleanupStack,
  { HOST, MAX_CONNECTIONS }: Config,
  { app, deps, drain }: Program,
  { port, setting, basePath }: { readonly port: number; readonly setting: string; readonly basePath: string },
): Promise<string> {
  const server = createAppServer(app, {
    basePath,
    maxConnections: MAX_CONNECTIONS,
    onRefused: () => deps.metrics.refusedConnections.inc(),
    onBroken: () => deps.metrics.brokenClients.inc({ protocol: 'request' }),
  });
  const url = await listen(server, { host: HOST, port, settings: { host: 'HOST', port: setting } });
  cleanup.defer(() => {
    drain();
    return close(server);
  });
  return url;
}
