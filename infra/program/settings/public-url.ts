import { z } from 'zod';

/** Where clients reach the program; default: what each has sent its request to. */
export const publicUrlSettings = {
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform(url => url.replace(/\/+$/, ''))
    .optional(),
};
