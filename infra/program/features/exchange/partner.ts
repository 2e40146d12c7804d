import { exchangeMetrics } from './metrics';
import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { ExchangePartner } from '../../../../contracts/ports/exchange-partner';
import { ensureSecretFile, UnusableSecretFile } from '../../../../services/signing/secret-file';
import type { ChangellyDouble } from '../../../devnet/devnet';
import { reachableHost } from '../../../config/reachable-host';
import { isDistributed } from '../../../engines/engines';
import type { ChangellyOptions } from '../../../engines/exchange-partner/changelly/changelly';
import { createSigner, parsePrivateKey } from '../../../engines/exchange-partner/changelly/signer';
import { inDataDir, NETWORKS_FOLDER } from '../../../config/data-dir';
import type { Resource } from '../../feature';
import { networksOf } from '../../../config/network-settings';
import type { Networks } from '../../sources/networks';
import { openSharedBudget } from '../../sources/shared-budget';
import { securedUrl, type Config } from '../../../config/settings';
import { writtenNumber } from '../../../../contracts/text/written-number';

const PRIVATE_KEY = 'an RSA private key in PKCS#8, as DER in hex or as PEM';

export const EXCHANGE_SETTINGS = {
  /** What is sent is signed, not secret, but who can change the answers can have users pay to another address. */
  CHANGELLY_URL: securedUrl.default('https://api.changelly.com/v2'),
  CHANGELLY_PRIVATE_KEY: z
    .string()
    .refine(text => parsePrivateKey(text) !== null, PRIVATE_KEY)
    .optional(),
  CHANGELLY_PRIVATE_KEY_FILE: z.string().min(1).optional(),
  CHANGELLY_USER: z.string().min(1).optional(),
  CHANGELLY_PASSWORD: z.string().min(1).optional(),
  EXCHANGE_REQUESTS_PER_SECOND: writtenNumber.min(0.5).max(1_000).default(8),
};
export function checkExchangeSettings(config: Config, context: z.RefinementCtx): void {
  const { CHANGELLY_PRIVATE_KEY, CHANGELLY_PRIVATE_KEY_FILE, CHANGELLY_USER, CHANGELLY_PASSWORD } =
    config.of(EXCHANGE_SETTINGS);
  const refuse = (name: keyof typeof EXCHANGE_SETTINGS, message: string): void =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (CHANGELLY_PRIVATE_KEY && CHANGELLY_PRIVATE_KEY_FILE)
    refuse('CHANGELLY_PRIVATE_KEY_FILE', 'must not be set with CHANGELLY_PRIVATE_KEY');
  if (CHANGELLY_USER && !CHANGELLY_PASSWORD) refuse('CHANGELLY_PASSWORD', 'must be set with CHANGELLY_USER');
  if (CHANGELLY_PASSWORD && !CHANGELLY_USER) refuse('CHANGELLY_USER', 'must be set with CHANGELLY_PASSWORD');
}

type Opened = ExchangePartner & { close(): Promise<void> };

/** The partner that exchanges currencies; null where there is none. Opened at its first use. */
export const exchangePartner: Resource<Opened | null> = {
  async open({ config, networks, use, metrics, logger }) {
    const { EXCHANGE_REQUESTS_PER_SECOND: requestsPerSecond } = config.of(EXCHANGE_SETTINGS);
    const account = await accountOf(config, async () =>
      runsLocalNetworks(networks) ? (await use(exchangeDouble)).url : doubleUrl(config),
    );
    if (!account) return null;
    const sharedBudget = await openSharedBudget(
      { config, logger },
      { of: 'exchange', perSecond: requestsPerSecond },
    );
    const { createChangelly } = await import('../../../engines/exchange-partner/changelly/changelly.js');
    const partner = createChangelly({
      ...account,
      requestsPerSecond,
      sharedBudget,
      logger,
      onRequest: ({ method, outcome, seconds }) =>
        metrics.of(exchangeMetrics).partnerRequests.observe({ method, outcome }, seconds),
    });
    return {
      ...partner,
      async close() {
        await partner.close();
        await sharedBudget?.close();
      },
    };
  },
  close: async partner => partner?.close(),
};

type Account = Pick<ChangellyOptions, 'url' | 'signer' | 'credentials' | 'sandbox'>;

/** That at the partner, or else at its double, where no wallet can have real coins to send there; null where there is none. */
async function accountOf(config: Config, double: () => Promise<string>): Promise<Account | null> {
  const {
    CHANGELLY_URL: url,
    CHANGELLY_USER: user,
    CHANGELLY_PASSWORD: password,
  } = config.of(EXCHANGE_SETTINGS);
  const credentials = user && password ? { user, password } : undefined;
  const privateKey = await privateKeyOf(config);
  if (privateKey) return { url, signer: createSigner(privateKey), credentials, sandbox: false };
  if (!hasLocalNetworksOnly(config)) return null;
  return { url: await double(), signer: createSigner(await doubleKey(config)), sandbox: true };
}

/** How much faster than in reality orders of the double proceed. */
const DOUBLE_SPEED = 60;
const DOUBLE_PORT = 6;

/** A double of the partner, for local networks. */
export const exchangeDouble: Resource<ChangellyDouble> = {
  async open({ config, logger }) {
    const { LOCAL_NETWORK_HOST: host, LOCAL_NETWORK_PORT: port } = config;
    const { EXCHANGE_REQUESTS_PER_SECOND } = config.of(EXCHANGE_SETTINGS);
    const { startChangellyDouble } = await import('../../../devnet/devnet.js');
    const double = await startChangellyDouble({
      publicKey: createPublicKey(await doubleKey(config)),
      host,
      // Other processes have to find it.
      port: isDistributed(config) && port > 0 ? port + DOUBLE_PORT : 0,
      speed: DOUBLE_SPEED,
      requestsPerSecond: Math.max(10, 2 * EXCHANGE_REQUESTS_PER_SECOND),
      dataDir: join(config.DATA_DIR, NETWORKS_FOLDER),
    });
    logger.info({ url: double.url }, 'the exchange partner is a double: pay nothing to its addresses');
    return double;
  },
  close: double => double.close(),
};

export function isPartnerConfigured(config: Config): boolean {
  const { CHANGELLY_PRIVATE_KEY, CHANGELLY_PRIVATE_KEY_FILE } = config.of(EXCHANGE_SETTINGS);
  return (CHANGELLY_PRIVATE_KEY ?? CHANGELLY_PRIVATE_KEY_FILE) !== undefined;
}

/** Only then the double may stand in for the partner. */
export function hasLocalNetworksOnly(config: Config): boolean {
  return networksOf(config, 'real').length === 0 && networksOf(config, 'local').length > 0;
}

const runsLocalNetworks = ({ local }: Networks): boolean => local.ton.size + local.solana.size > 0;

const doubleUrl = ({ LOCAL_NETWORK_HOST: host, LOCAL_NETWORK_PORT: port }: Config): string =>
  `http://${reachableHost(host)}:${port + DOUBLE_PORT}/v2`;

/** The key that the double knows; processes on several machines need the same file. */
async function doubleKey({ DATA_DIR }: Config): Promise<KeyObject> {
  const file = join(DATA_DIR, 'keys', 'exchange-double');
  const text = await inDataDir(DATA_DIR, () =>
    ensureSecretFile(file, async () => {
      const { privateKey } = await generateKeys('rsa', { modulusLength: 2_048 });
      return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    }),
  );
  const key = parsePrivateKey(text);
  if (key) return key;
  throw new UnusableSecretFile(
    file,
    `not ${PRIVATE_KEY}`,
    'Delete it: only the double of the partner uses it.',
  );
}

const generateKeys = promisify(generateKeyPair);

/** @throws UnusableSecretFile */
async function privateKeyOf(config: Config): Promise<KeyObject | null> {
  const { CHANGELLY_PRIVATE_KEY: given, CHANGELLY_PRIVATE_KEY_FILE: file } = config.of(EXCHANGE_SETTINGS);
  if (given !== undefined) return parsePrivateKey(given);
  if (file === undefined) return null;
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UnusableSecretFile(
      file,
      `the file cannot be read (${error.code})`,
      `It has to be ${PRIVATE_KEY}.`,
    );
  });
  const key = parsePrivateKey(text);
  if (key) return key;
  throw new UnusableSecretFile(file, `not ${PRIVATE_KEY}`, 'Put the key there that the partner has issued.');
}
