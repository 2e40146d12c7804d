import { pushContact, type PushContact } from '../../../contracts/events/push-device';
import type { PushDeviceDocument } from '../../../projections/push/devices';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import { readJson } from '../../../contracts/json/read-json';

/** What is personal of devices, in their order; null where it was erased. */
export async function decryptContacts(
  texts: Pick<PersonalTexts, 'decryptAll'>,
  devices: readonly Pick<PushDeviceDocument, 'contact'>[],
): Promise<(PushContact | null)[]> {
  const contacts = await texts.decryptAll(devices.map(({ contact }) => contact));
  return contacts.map(contact => (contact === null ? null : pushContact.parse(readJson(contact))));
}
