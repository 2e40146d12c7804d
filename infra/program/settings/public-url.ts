import { z } from 'zod';
import { withoutTrailingSlashes } from '../../../contracts/url/trailing-slashes';

/** Where clients reach the program; default: what each has sent its request to. */
export const publicUrlSettings = {
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform(withoutTrailingSlashes)
    .optional(),
};
