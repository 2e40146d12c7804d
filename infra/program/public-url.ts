import { z } from 'zod';
import type { Config } from '../config/settings';

/** Where clients reach the program; default: what each has sent its request to. */
export const publicUrlSettings = {
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform(url => url.replace(/\/+$/, ''))
    .optional(),
};

export type PublicUrlConfig = Config & z.output<z.ZodObject<typeof publicUrlSettings>>;
