import { randomUUID } from 'node:crypto';
import { type AppendResult, WrongExpectedRevision } from '../../../../contracts/ports/event-store';
import { lastEventOf } from '../../../../contracts/engine/last-event';
import type { JsonObject } from '../../../../contracts/json/json';
import { type ValidatedAppend, validateAppend } from '../validate-append';
import type { Connection } from './connection';
import { StreamIsDeleted, unavailable } from './errors';
import type { Reader } from './reader';

interface DeletionDeps {
  readonly connection: Pick<Connection, 'deleteStream'>;
  readonly reader: Pick<Reader, 'readStream'>;
  append(append: ValidatedAppend): Promise<Pick<AppendResult, 'revision'>>;
}

/** Of concurrent writers of the stream or of its metadata. */
const MAX_ATTEMPTS = 5;

const whereDeleted = (error: unknown): null => {
  if (error instanceof StreamIsDeleted) return null;
  throw error;
};

/**
 * A whole stream is deleted softly, of others the metadata say which event is the first (`$tb`): what operators have set there
 * stays. A scavenge of the server then removes the events from its disk, and from the global order.
 */
export function createDeletion({ connection, reader, append }: DeletionDeps) {
  /** @returns false when somebody else has written them meanwhile */
  const truncate = async (stream: string, before: number): Promise<boolean> => {
    const name = `$$${stream}`;
    const found = await lastEventOf(reader, name);
    if (Number(found?.data['$tb'] ?? 0) >= before) return true;
    const data: JsonObject = { ...found?.data, $tb: before };
    const metadata = [{ id: randomUUID(), type: '$metadata', data }];
    try {
      await append(validateAppend(name, found?.revision ?? 'no_stream', metadata));
      return true;
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return false;
      throw error;
    }
  };

  return async (stream: string, revision: number): Promise<void> => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const last = await lastEventOf(reader, stream).catch(whereDeleted);
      if (!last) return;
      if (last.revision > revision) {
        if (await truncate(stream, revision + 1)) return;
      } else if (await connection.deleteStream(stream, last.revision)) return;
    }
    throw unavailable(`others write stream ${stream} while its events are deleted`);
  };
}
