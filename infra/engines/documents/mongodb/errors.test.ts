import { MongoBulkWriteError, MongoServerError } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
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
  const error = Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
  expect(translateError(error)).toBeInstanceOf(EngineUnavailable);
});
