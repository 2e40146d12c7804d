import { readFile } from 'node:fs/promises';
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { ExchangePartner } from '../../contracts/ports/exchange-partner';
import { UnusableSecretFile } from '../../services/secret-file';
import { createChangelly } from '../engines/exchange-partner/changelly/changelly';
import { createSigner, parsePrivateKey } from '../engines/exchange-partner/changelly/signer';
import type { Resource } from './feature';
import { type Config } from './settings';

const PRIVATE_KEY = 'an RSA private key in PKCS#8, as DER in hex or as PEM';

export const EXCHANGE_SETTINGS = {
  CHANGELLY_URL: z.url({ protocol: /^https?$/ }).default('https://api.changelly.com/v2'),
  CHANGELLY_PRIVATE_KEY: z
    .string()
    .refine(text => parsePrivateKey(text) !== null, PRIVATE_KEY)
    .optional(),
  CHANGELLY_PRIVATE_KEY_FILE: z.string().min(1).optional(),
  CHANGELLY_USER: z.string().min(1).optional(),
  CHANGELLY_PASSWORD: z.string().min(1).optional(),
  EXCHANGE_REQUESTS_PER_SECOND: z.coerce.number().min(0.5).max(1_000).default(8),
};
export type ExchangeConfig = Config & z.output<z.ZodObject<typeof EXCHANGE_SETTINGS>>;

export function checkExchangeSettings(config: ExchangeConfig, context: z.RefinementCtx): void {
  const refuse = (name: keyof typeof EXCHANGE_SETTINGS, message: string): void =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (config.CHANGELLY_PRIVATE_KEY && config.CHANGELLY_PRIVATE_KEY_FILE)
    refuse('CHANGELLY_PRIVATE_KEY_FILE', 'must not be set with CHANGELLY_PRIVATE_KEY');
  if (config.CHANGELLY_USER && !config.CHANGELLY_PASSWORD)
    refuse('CHANGELLY_PASSWORD', 'must be set with CHANGELLY_USER');
  if (config.CHANGELLY_PASSWORD && !config.CHANGELLY_USER)
    refuse('CHANGELLY_USER', 'must be set with CHANGELLY_PASSWORD');
}

/** The partner that exchanges currencies; null where there is none. Opened at its first use. */
export const exchangePartner: Resource<
  (ExchangePartner & { close(): Promise<void> }) | null,
  ExchangeConfig
> = {
  async open({ config, logger }) {
    const privateKey = await privateKeyOf(config);
    if (!privateKey) return null;
    const { CHANGELLY_URL: url, CHANGELLY_USER: user, CHANGELLY_PASSWORD: password } = config;
    return createChangelly({
      url,
      signer: createSigner(privateKey),
      credentials: user && password ? { user, password } : undefined,
      sandbox: false,
      requestsPerSecond: config.EXCHANGE_REQUESTS_PER_SECOND,
      logger,
    });
  },
  close: async partner => partner?.close(),
};

/** @throws UnusableSecretFile */
async function privateKeyOf({
  CHANGELLY_PRIVATE_KEY: given,
  CHANGELLY_PRIVATE_KEY_FILE: file,
}: ExchangeConfig): Promise<KeyObject | null> {
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
