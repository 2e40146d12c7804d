import { finished, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { Problem } from '../../contracts/problem/problem';
import type { IncompleteBodies } from './incomplete-bodies';
import type { Sender } from './limits';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
/** Memory of one, beside what it has decoded. */
const DECODER_BYTES = 64 * 1024;
/** A decoder may keep all that it has decoded, for what refers to it. */
const COPIES_OF_DECODED = 2;

/**
 * The bytes of a body, decompressed; undefined when there is none. Not by `express.raw`: it shows nobody how much of a body it has, and
 * cannot be told to give it up.
 * @throws Problem of which the body was given up, or does not arrive as it should
 */
export async function readBytes(
  request: Request,
  sender: Sender,
  limit: number,
  bodies: IncompleteBodies,
): Promise<Buffer | undefined> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return undefined;
  const decoder = decoderOf(headers['content-encoding']?.toLowerCase());
  const source = decoder ? request.pipe(decoder) : request;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    let isOver = false;
    /** What still arrives is read and dropped: the connection may be used again. */
    const stop = (): void => {
      isOver = true;
      source.off('data', take);
      if (decoder) request.unpipe(decoder);
      decoder?.on('error', () => undefined).destroy();
      if (!request.readableEnded) request.resume();
    };
    const body = bodies.begin(sender, decoder ? DECODER_BYTES : 0, problem => {
      stop();
      parts.length = 0;
      reject(problem);
    });
    const end = (act: () => void): void => {
      if (isOver) return;
      stop();
      body.end();
      act();
    };
    function take(part: Buffer): void {
      length += part.length;
      if (length > limit) return refuseLarge();
      parts.push(part);
      body.add(decoder ? COPIES_OF_DECODED * part.length : part.length);
    }
    /** Clients do not expect an answer before they have sent all. */
    const refuseLarge = (): void =>
      end(() => {
        parts.length = 0;
        finished(request, () => reject(tooLarge()));
      });
    if (isOver) return;
    if (!decoder && Number(headers['content-length']) > limit) return refuseLarge();
    if (decoder) finished(request, error => error && end(() => reject(endedEarly())));
    finished(source, { writable: false }, error =>
      end(() => {
        if (!error) return resolve(Buffer.concat(parts, length));
        reject(decoder ? malformed() : endedEarly());
      }),
    );
    source.on('data', take);
  });
}

/** @throws Problem 415 */
function decoderOf(encoding = 'identity'): Transform | null {
  if (encoding === 'identity') return null;
  if (Object.hasOwn(DECODERS, encoding)) return DECODERS[encoding]!();
  throw new Problem(
    'unsupported_media_type',
    'The encoding of the body is not supported; send it as it is, or as gzip.',
  );
}

const tooLarge = (): Problem =>
  new Problem('body_too_large', 'The body is larger than this endpoint accepts.');
const endedEarly = (): Problem =>
  new Problem('invalid_request', 'The body ended before its announced length.');
const malformed = (): Problem =>
  new Problem('invalid_request', 'The request could not be read: malformed encoding.');
