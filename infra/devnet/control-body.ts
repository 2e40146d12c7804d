import type { Request } from 'express';
import type { z } from 'zod';
import { bodyReader } from '../../services/http/body';
import { callerAddress } from '../../services/http/caller-address';
import { validate } from '../../services/http/validate';

const MAX_BYTES = 1_024;

const readBody = bodyReader(MAX_BYTES);

/** The body of a call that controls a local network. @throws Problem 400 that names the field */
export async function controlBody<S extends z.ZodType>(schema: S, request: Request): Promise<z.output<S>> {
  const sender = { principal: null, ip: callerAddress(request) };
  return validate(schema, 'body', await readBody(request, sender));
}
