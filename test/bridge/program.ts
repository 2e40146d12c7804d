import { startTidemark, type Settings, type Tidemark } from '../e2e/tidemark';
import { temporaryFolder } from '../temporary-folder';
import type { Bridge } from './client/request';
import { NETWORKS_OFF } from '../local-networks';

/** The bridge of a running program. */
export function bridgeOf({ url, operatorsUrl }: Pick<Tidemark, 'url' | 'operatorsUrl'>): Bridge {
  return { url: `${url}/tonconnect`, operatorsUrl };
}

/** Settings of a program of tests: callers say in `X-Forwarded-For` who they are. */
export const BRIDGE_SETTINGS: Settings = { ...NETWORKS_OFF, TRUSTED_PROXIES: '1' };

/** The program with its bridge, for all tests of a file. */
export function runningBridge(settings: Settings = {}): () => Bridge {
  const folder = temporaryFolder();
  let program: Tidemark | undefined;
  beforeAll(async () => {
    program = await startTidemark({ DATA_DIR: folder, ...BRIDGE_SETTINGS, ...settings });
  });
  afterAll(() => program?.kill('SIGTERM'));
  return () => bridgeOf(program!);
}
