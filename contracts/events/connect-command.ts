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

const about = {
  /** Key of the session, base64url. */
  session: z.string(),
  /** Of the installation of the wallet that the command is for, base64url. */
  appPublicKey: z.string(),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
  /** Also as such an instant: from then on nobody can submit it. */
  expiresAt: z.iso.datetime(),
};

// These types are the storage format.
const submitted = eventType({
  name: 'ConnectCommandSubmitted',
  version: 4,
  schema: z.object({
    ...about,
    /** Raw: the wallet that has answered the session. Null in version 1. */
    wallet: z.string().nullable(),
    /** Whether it was among the wallets that were the first to answer as the installation. Null in versions 1 to 3. */
    isOfFirstWallets: z.boolean().nullable(),
    /** `CallerSource` of the application that has submitted it. Null in versions 1 and 2. */
    source: z.string().nullable(),
    command: z.enum(CONNECT_COMMANDS),
    /** The bag of cells as the application sent it, base64. */
    job: z.string(),
  }),
  upcasts: {
    1: data => ({ ...data, wallet: null }),
    2: data => ({ ...data, source: null }),
    3: data => ({ ...data, isOfFirstWallets: null }),
  },
});
/** It was submitted long ago: nothing is known of it any more. Before it has expired it still cannot be submitted again. */
const removed = eventType({
  name: 'ConnectCommandRemoved',
  schema: z.object({ ...about, /** When it was submitted. */ submittedAt: z.iso.datetime() }),
});

export const connectCommandEvents = eventFamily(submitted, removed);
export type ConnectCommandSubmitted = EventOf<typeof submitted>;
export type ConnectCommandEvent = EventOf<typeof submitted | typeof removed>;
