import { createHmac, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CardIssuer } from '../../../../contracts/card-issuer/issuer';
import type { TonNetwork } from '../../../../contracts/network/network';
import { ensureSecretFile } from '../../../../services/signing/secret-file';
import { inDataDir, NETWORKS_FOLDER } from '../../../config/data-dir';
import { reachableHost } from '../../../config/reachable-host';
import type { Config } from '../../../config/settings';
import type { CardIssuerDouble } from '../../../devnet/devnet';
import { isDistributed } from '../../../engines/engines';
import type { Resource, Worker } from '../../feature';
import { findRunning } from '../../running-file';
import type { OpenedIssuer } from './issuing';
import { CARD_ISSUING_SETTINGS, webhookSecretOf } from './issuing-settings';
import { CARD_SETTINGS, isCardOn } from './settings';

type Opened = OpenedIssuer & { close(): Promise<void> };

/** The issuer behind its gateway, or else its double. Opened at its first use. */
export const cardIssuer: Resource<Opened> = {
  async open({ config, use }) {
    const { CARD_ISSUER_URL: url, CARD_ISSUER_KEY, CARD_WEBHOOK_SECRETS } = config.of(CARD_ISSUING_SETTINGS);
    let opened: Promise<CardIssuer & { close(): Promise<void> }> | null = null;
    const open = async () => {
      const { createHttpIssuer } = await import('../../../engines/card-issuer/http-issuer.js');
      if (url) return createHttpIssuer({ url, key: CARD_ISSUER_KEY!, sandbox: false });
      const double = isDistributed(config) ? doubleUrl(config) : (await use(cardIssuerDouble)).url;
      return createHttpIssuer({ url: double, key: (await doubleSecrets(config)).key, sandbox: true });
    };
    // Webhooks that waited when the program was stopped are sent on.
    if (!url && !isDistributed(config) && isOn(config)) await use(cardIssuerDouble);
    const ofDouble = !url && isOn(config) ? [(await doubleSecrets(config)).secret] : [];
    return {
      secrets: url ? CARD_WEBHOOK_SECRETS!.map(webhookSecretOf) : ofDouble,
      issuer: () => (opened ??= open()),
      close: async () => (await opened?.catch(() => null))?.close(),
    };
  },
  close: ({ close }) => close(),
};

const DOUBLE_PORT = 7;

/** A double of the issuer. */
export const cardIssuerDouble: Resource<CardIssuerDouble> = {
  async open({ config, logger }) {
    const { LOCAL_NETWORK_HOST: host, LOCAL_NETWORK_PORT: port } = config;
    const folder = join(config.DATA_DIR, NETWORKS_FOLDER);
    const { startCardIssuerDouble } = await import('../../../devnet/devnet.js');
    const double = await startCardIssuerDouble({
      ...(await doubleSecrets(config)),
      host,
      // Other processes have to find it.
      port: isDistributed(config) && port > 0 ? port + DOUBLE_PORT : 0,
      dataDir: folder,
      webhookUrl: network => webhookUrl(config, network),
    });
    await writeFile(join(folder, URL_FILE), double.url);
    logger.info({ url: double.url }, 'the issuer of cards is a double: no card of it buys anything');
    return double;
  },
  close: double => double.close(),
};

/** Where roles have processes of their own, others find the double in that of the local networks. */
export const servesIssuerDouble: Worker = {
  role: 'networks',
  async start({ config, use }) {
    if (!isDistributed(config) || !isOn(config) || config.of(CARD_ISSUING_SETTINGS).CARD_ISSUER_URL)
      return {};
    await use(cardIssuerDouble);
    const run = async () => (webhookUrl(config, 'mainnet') === null ? NO_WEBHOOK_URL : null);
    return { checks: [{ name: 'card_issuer_double', vital: false, run }] };
  },
};

/** Webhooks wait until the double is started with an address. */
export const NO_WEBHOOK_URL =
  'The double of the issuer does not know where the API is, so that it sends no webhooks: set PUBLIC_URL for the process of the local networks.';

const isOn = (config: Config): boolean => isCardOn(config, 'mainnet') || isCardOn(config, 'testnet');

const URL_FILE = 'card-issuer-double.url';

/** Where the double of the program that runs on the folder answers; null where none was started. */
export async function findDoubleUrl({ DATA_DIR }: Config): Promise<string | null> {
  return readFile(join(DATA_DIR, NETWORKS_FOLDER, URL_FILE), 'utf8').catch(() => null);
}

const doubleUrl = ({ LOCAL_NETWORK_HOST: host, LOCAL_NETWORK_PORT: port }: Config): string =>
  `http://${reachableHost(host)}:${port + DOUBLE_PORT}`;

/** Of the program that runs on the folder; null before it answers. That of several processes is a setting. */
function webhookUrl(config: Config, network: TonNetwork): string | null {
  const { PUBLIC_URL } = config.of(CARD_SETTINGS);
  const origin = (isDistributed(config) ? null : findRunning(config.DATA_DIR)?.url) ?? PUBLIC_URL;
  if (origin === undefined) return null;
  return `${origin.replace(/\/$/, '')}${network === 'mainnet' ? '/card' : '/card/testnet'}/webhooks/issuer`;
}

/** The key of calls and the secret of webhooks, made at the first use of the double; processes on several machines need the same file. */
export async function doubleSecrets({ DATA_DIR }: Config) {
  const file = join(DATA_DIR, 'keys', 'card-issuer-double');
  const text = await inDataDir(DATA_DIR, () =>
    ensureSecretFile(file, () => randomBytes(32).toString('base64url')),
  );
  const derive = (of: string): Buffer => createHmac('sha256', text).update(of).digest();
  return { key: derive('calls').toString('base64url'), secret: derive('webhooks') };
}
