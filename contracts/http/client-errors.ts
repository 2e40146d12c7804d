import type { Quota } from '../quota';
import { z } from 'zod';
import { endpoint } from './endpoint';

/** Errors that an address reports. */
export const CLIENT_ERRORS: Quota = {
  name: 'client_errors',
  of: 'errors that clients report',
  by: 'address',
  perMinute: 10,
};

const text = z.string().nullish();
const data = z.record(z.string(), z.unknown()).nullish();

export const clientErrorReport = z
  .object({
    message: z.string().optional(),
    /** In the words of the specification: logs, error type, context. Wallets send the others. */
    errorType: text,
    stack: text,
    logs: z.union([z.string(), z.array(z.unknown())]).nullish(),
    /** The place in the code. */
    url: text,
    platform: z.string().max(32).nullish().meta({ description: 'Such as `ios` and `android`' }),
    appVersion: z.string().max(32).nullish(),
    additionalData: data,
    context: data,
  })
  .superRefine(({ message, errorType }, context) => {
    if (message || errorType) return;
    const [empty, other] =
      message === undefined && errorType !== undefined ? ['errorType', 'message'] : ['message', 'errorType'];
    context.addIssue({ code: 'custom', path: [empty!], message: `must be given, or \`${other}\`` });
  });
export type ClientErrorReport = z.output<typeof clientErrorReport>;

export const reportClientError = endpoint({
  group: 'Miscellaneous',
  method: 'POST',
  path: '/client-error/report',
  summary: 'Reports an error of a wallet; secrets and personal data are removed before anything is stored',
  examples: [
    {
      body: {
        message: "Cannot read property 'balance' of undefined",
        stack: 'TypeError: ...\n    at useAccount (index.bundle:1:2345)',
        url: 'HomeFragment',
        platform: 'ios',
        appVersion: '2.5.45',
        additionalData: { errorId: '5f1c8a52', errorTimestamp: 1_767_225_600_000 },
      },
    },
    { body: { errorType: 'TypeError', logs: ['opened', 'failed'], context: { screen: 'home' } } },
  ],
  body: clientErrorReport,
  bodyLimit: 16 * 1_024,
  response: z.object({ ok: z.literal(true) }),
  rateLimit: CLIENT_ERRORS,
});
