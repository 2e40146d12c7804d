import { runInNewContext } from 'node:vm';
import { MongoBulkWriteError, MongoServerError } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { isIdTaken, translateError } from './errors';

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

const E11000 = 'E11000 duplicate key error collection: tidemark.names index:';

test.each([
  [`${E11000} _id_ dup key: { _id: "a" }`, true],
  [`${E11000} _id dup key: { _id: "{ index: keys.name_1 dup key: {" }`, true],
  [`${E11000} keys.name_1 dup key: { keys.name: "a" }`, false],
  [`${E11000} keys.name_1 dup key: { keys.name: "index: _id_ dup key: { _id: 1 }" }`, false],
  [
    `${E11000} keys.name_1 collation: { locale: "index: _id_ dup key: {" } dup key: { keys.name: "a" }`,
    false,
  ],
  [`${E11000} keys._id_ dup key: { keys._id: "a" }`, false],
])('%s: the id is taken: %s', (message, isTaken) => {
  expect(isIdTaken(message)).toBe(isTaken);
});
