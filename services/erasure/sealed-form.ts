import type { Sealed } from '../../contracts/personal-text';
import { DamagedText } from '../personal-text';
import { lock, unlock } from './box';
import type { SubjectKey } from './keys';

const VERSION = 'v1';
const FORM = /^v1\.([\w-]{1,64})\.([\w-]+)$/;

const aboutOf = (subject: string, keyId: string): string => `personal-text ${VERSION} ${keyId} ${subject}`;

/**
 * The form `v1.<id of the key>.<box>`: the box is base64url (RFC 4648, section 5, without padding) of
 * `nonce (12 bytes) || ciphertext || tag (16 bytes)`, AES-256-GCM of the text in UTF-8, with
 * `personal-text v1 <id of the key> <subject>` in UTF-8 as additional data. It lies in events for ever: another form is another version.
 */
export function sealWith({ id, key }: SubjectKey, subject: string, text: string): Sealed {
  const box = lock(key, aboutOf(subject, id), Buffer.from(text));
  return { subject, sealed: `${VERSION}.${id}.${box.toString('base64url')}` };
}

/** Null when the key is not the one it was sealed with: that one was destroyed. @throws DamagedText */
export function openWith(key: SubjectKey | null, { subject, sealed }: Sealed): string | null {
  const [, id, box] = FORM.exec(sealed) ?? [];
  if (id === undefined || box === undefined)
    throw new DamagedText(`a text of ${subject} is in no form that is known here`);
  if (key?.id !== id) return null;
  const text = unlock(key.key, aboutOf(subject, id), Buffer.from(box, 'base64url'));
  if (!text) throw new DamagedText(`a text of ${subject} is not what was sealed`);
  return text.toString();
}
