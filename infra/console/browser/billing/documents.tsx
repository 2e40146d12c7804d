import type { FileAction } from '../../../../contracts/http/billing/access';
import type { RequestOf } from '../../../../contracts/http/billing/actions';
import { ActionButton } from '../elements/action-button';
import { save } from '../elements/download';
import { readFile } from './admin';

type Format = RequestOf<FileAction>['format'];

const FORMATS = ['pdf', 'csv'] as const satisfies readonly Format[];

interface DocumentsProps {
  /** Of the file, without its ending. */
  readonly name: string;
  of(format: Format): RequestOf<FileAction>;
}

/** Downloads a document in each format. */
export function Documents({ name, of }: DocumentsProps) {
  return (
    <>
      {FORMATS.map(format => (
        <ActionButton
          key={format}
          label={`Download ${format.toUpperCase()}`}
          send={() => readFile(of(format))}
          done={bytes => save(bytes, `${name}.${format}`)}
        />
      ))}
    </>
  );
}
