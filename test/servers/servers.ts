import { eventstoredb } from './eventstoredb';
import { kafka } from './kafka';
import { mongodb } from './mongodb';
import { redis } from './redis';
import type { TestServer } from './server';

/** All servers there are tests for. The tests of one begin with its name here. */
export const servers = { eventstoredb, kafka, mongodb, redis } satisfies Record<string, TestServer>;

export type ServerName = keyof typeof servers;
