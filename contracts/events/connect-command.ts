import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of commands to connected wallets, one per session and job. */
export const CONNECT_COMMAND_CATEGORY = 'connectCommand';

/**
 * Does not depend on the signature, nor on how the cells are serialized: a job that is posted again, in any form, is the same.
 * @param session key of the session, base64url
 * @param jobHash hash of the cell of the job, hex
 */
export function connectCommandStream(session: string, jobHash: string): string {
  return `${CONNECT_COMMAND_CATEGORY}-${session}:${jobHash}`;
}

export const CONNECT_COMMANDS = ['transaction', 'sign'] as const;

// This type is the storage format.
const submitted = eventType({
  name: 'ConnectCommandSubmitted',
  version: 2,
  schema: z.object({
    /** Key of the session, base64url. */
    session: z.string(),
    /** Of the installation of the wallet that the command is for, base64url. */
    appPublicKey: z.string(),
    /** Raw: the wallet that has answered the session. Null in version 1. */
    wallet: z.string().nullable(),
    command: z.enum(CONNECT_COMMANDS),
    /** The bag of cells as the application sent it, base64. */
    job: z.string(),
    /** RFC 3339 UTC instants with milliseconds. */
    expiresAt: z.iso.datetime(),
    at: z.iso.datetime(),
  }),
  upcasts: { 1: data => ({ ...data, wallet: null }) },
});

export const connectCommandEvents = eventFamily(submitted);
export type ConnectCommandEvent = EventOf<typeof submitted>;
