import type { Quota } from '../quota';
import { z } from 'zod';
import { base64Of, decodeBase64 } from '../encoding/base64';
import { MAX_APPEND_BYTES } from '../ports/event-store';
import { endpoint } from './endpoint';

/** Reads and writes of cloud storage from an address, and writes to one key; a large value counts several times. */
export const STORAGE_READS: Quota = {
  name: 'storage_reads',
  of: 'reads of cloud storage',
  by: 'address',
  perMinute: 600,
};
export const STORAGE_WRITES: Quota = {
  name: 'storage_writes',
  of: 'writes to cloud storage; a large value counts several times',
  by: 'address',
  perMinute: 300,
  perDay: 100_000,
};
export const STORAGE_KEY_WRITES: Quota = {
  name: 'storage_key_writes',
  of: 'writes to a key of cloud storage',
  by: 'key',
  perMinute: 60,
};

const group = 'Cloud storage';

/** Largest value that a program can be set to accept, in KiB: in base64, with the rest of its event, it fits into one append. */
export const MAX_VALUE_KIBIBYTES = 700;

const UINT32_MAX = 2 ** 32 - 1;
const uint32 = z.int().min(0).max(UINT32_MAX);

const key = base64Of(32).meta({ description: 'Ed25519 public key, in base64' });
const signature = base64Of(64).meta({
  description:
    'Ed25519 by the key itself: `safeSign` of `@ton/core` over a cell of key (256 bits) and time (32), for a write of key (256), SHA-256 of the value (256), seq (32) and time (32). In base64',
});
const time = z.int().min(0).max(UINT32_MAX, 'must be Unix seconds').meta({
  description: 'Unix seconds: when the signature expires. The clock of the device may be off by a day',
});

/** Both or neither: names the one that is missing. */
const signedWhole = (
  { signature, time }: { readonly signature?: string | undefined; readonly time?: number | undefined },
  context: z.RefinementCtx,
): void => {
  if ((signature === undefined) === (time === undefined)) return;
  const path = [signature === undefined ? 'signature' : 'time'];
  context.addIssue({ code: 'custom', path, message: 'signature and time belong together' });
};

const entry = z.object({
  seq: z.int().min(0).meta({ description: 'Writes so far; 0 when there was none' }),
  value: z.string().nullable().meta({ description: 'Base64; null when there was no write' }),
});

const EXAMPLE = {
  key: 'O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik=',
  signature: Buffer.alloc(64, 1).toString('base64'),
  time: 1_772_366_460,
};

export const readStorage = endpoint({
  group,
  method: 'POST',
  path: '/storage/read',
  summary: 'The latest value of a key, and the number of writes so far',
  examples: [{ body: EXAMPLE }],
  body: z.object({ key, signature: signature.optional(), time: time.optional() }).superRefine(signedWhole),
  response: z.object({ ok: z.literal(true), value: entry }),
  errors: ['rate_limited', 'signature_required', 'signature_invalid', 'signature_expired'],
});

export const writeStorage = endpoint({
  group,
  method: 'POST',
  path: '/storage/write',
  summary:
    'Writes a value under a key if nobody else has written since `seq` was read; the answer has the resulting state either way',
  examples: [{ body: { ...EXAMPLE, seq: 0, value: 'c2VjcmV0' } }],
  bodyLimit: MAX_APPEND_BYTES,
  body: z
    .object({
      key,
      signature: signature.optional(),
      time: time.optional(),
      seq: uint32
        .optional()
        .meta({ description: 'As last read. Only a write without a signature may omit it' }),
      value: z
        .string()
        .refine(text => decodeBase64(text) !== null, 'canonical base64')
        .meta({ description: 'Base64; clients encrypt it' }),
    })
    .superRefine((body, context) => {
      signedWhole(body, context);
      if (body.signature !== undefined && body.seq === undefined)
        context.addIssue({ code: 'custom', path: ['seq'], message: 'needed in a signed write' });
    }),
  response: z.object({
    ok: z.literal(true),
    updated: z.boolean().meta({ description: 'Whether `current` is the result of this write' }),
    current: entry,
  }),
  errors: [
    'rate_limited',
    'signature_required',
    'signature_invalid',
    'signature_expired',
    'append_too_large',
    'too_many_storage_keys',
    'too_many_storage_bytes',
  ],
});
