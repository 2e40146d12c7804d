import { eventstoredb } from './eventstoredb';
import { kafka } from './kafka';
import { mongodb } from './mongodb';
import { redis } from './redis';
import type { TestServer } from './server';

/** All servers that have tests; the file names of their tests start with these names. */
export const servers = { eventstoredb, kafka, mongodb, redis } satisfies Record<string, TestServer>;

export type ServerName = keyof typeof servers;
