import { runInNewContext } from 'node:vm';
import { MongoBulkWriteError, MongoServerError } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { translateError } from './errors';

test.each([
  [
    'a command',
    new MongoServerError({
      message: 'available disk space of 10 bytes',
      code: 14_031,
      codeName: 'OutOfDiskSpace',
    }),
  ],
  [
    'a bulk write',
    new MongoBulkWriteError(
      { message: 'available disk space of 10 bytes', code: 14_031, writeErrors: [] },
      Object.create(null),
    ),
  ],
])('a full disk of MongoDB, reported to %s, is an unavailable engine with that cause', (_, reported) => {
  const error = translateError(reported) as EngineUnavailable;
  expect(error).toBeInstanceOf(EngineUnavailable);
  expect(error.engine).toBe('documents');
  expect(error.message).toContain('its disk is full: available disk space of 10 bytes');
});

test('a socket closed by the server is an unavailable engine', () => {
  const message = 'This socket has been ended by the other party';
  const errors = [new Error(message), runInNewContext('new Error(message)', { message }) as Error];
  for (const error of errors)
    expect(translateError(Object.assign(error, { code: 'EPIPE' }))).toBeInstanceOf(EngineUnavailable);
});

test.each(['mongodb', 'mongodb+srv'])('the message of an error has no URL of %s', scheme => {
  const message = `no server of ${scheme}://user:s3cret@db.test/books?tls=true answered`;
  const { message: translated } = translateError(new MongoServerError({ message })) as Error;
  expect(translated).not.toMatch(/s3cret|db\.test/);
  expect(translated).toContain('mongodb://… answered');
});
