import { messageOf } from '../../contracts/text/error-message';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
};

/** Why a file cannot be read or used, in words; another error says it itself. */
export function fileFault(error: unknown): string {
  return REASONS[String((error as NodeJS.ErrnoException | null)?.code)] ?? messageOf(error);
}

/** Names the file in front of the reason. */
export function cannotRead(file: string, error: unknown): Error {
  return new Error(`${file}: ${fileFault(error)}`, { cause: error });
}
