import { randomUUID } from 'node:crypto';
import type { Commit } from '../../contracts/ports/documents';
import type { EncryptedText } from '../../contracts/text/personal-text';
import { InMemoryDocuments, StoredDocuments } from '../../test/doubles/documents';
import { InMemoryEventStore, StoredEvents } from '../../test/doubles/event-store';
import { APP_REPORT_RETENTION, APP_REVIEW_RETENTION } from '../apps/retention';
import { changesCheckpoint, ERASURE_KEYS, type KeyDocument } from '../personal-texts/key-documents';
import { openSubjectKeys } from '../personal-texts/keys';
import { createPersonalTexts } from '../personal-texts/personal-texts';
import { PUSH_DEVICE_RETENTION } from '../push/device/retention';
import { PUSH_HOUR_RETENTION } from '../push/hour/retention';
import { PUSH_NOTIFICATION_RETENTION } from '../push/notification/retention';
import { agingKeysOf, deleteUnusedKeys, MARGIN_DAYS, type AgingKeys } from './unused-keys';

const AGE = 90;
const GONE = AGE + MARGIN_DAYS + 1;
const ANN = 'ton:mainnet:0:aa';
const AGING: AgingKeys = { subjects: 'ton:', categories: ['visit'], days: AGE };
const HAS_AGE = { hasAge: true };

/** Documents that let another program do something just before one of the calls. */
class InterruptedDocuments extends InMemoryDocuments {
  callsUntil = Infinity;
  interrupt: () => Promise<unknown> = async () => undefined;

  override async get(...given: [string, string]): Promise<never> {
    await this.called();
    return (await super.get(...given)) as never;
  }
  override async checkpoint(name: string) {
    await this.called();
    return super.checkpoint(name);
  }
  override async commit(commit: Commit) {
    await this.called();
    return super.commit(commit);
  }
  private async called(): Promise<void> {
    if (this.callsUntil-- === 0) await this.interrupt();
  }
}

/** Days after 1970. */
let day: number;
let events: StoredEvents;
let places: StoredDocuments;
beforeEach(() => ([day, events, places] = [0, new StoredEvents(), new StoredDocuments()]));

const clock = (): Date => new Date(day * 86_400_000);
/** A program with the same keys. */
const open = async (vault = new InMemoryDocuments(places)) => {
  const keys = await openSubjectKeys(vault, Buffer.alloc(32, 1), clock);
  return { vault, keys, texts: createPersonalTexts(keys) };
};
const sweep = (vault = new InMemoryDocuments(places), store = new InMemoryEventStore(events)) =>
  deleteUnusedKeys({ store, vault, clock }, AGING, new AbortController().signal);
const record = (text: EncryptedText, stream = 'visit-1'): void =>
  events.record({
    id: randomUUID(),
    type: 'Came',
    metadata: {},
    created: clock().toISOString(),
    stream,
    revision: events.byStream.get(stream)?.length ?? 0,
    position: events.all.length,
    data: { of: [{ comment: text }] },
  });
const left = async (subject = ANN) => {
  const vault = new InMemoryDocuments(places);
  const document = await vault.get<KeyDocument>(ERASURE_KEYS.name, subject);
  const checkpoint = await vault.checkpoint(changesCheckpoint(subject));
  return { document, checkpoint };
};
const NOTHING = { document: null, checkpoint: null };

describe('the key of a text with an age', () => {
  it('goes with its checkpoint when it was not used for longer than the age, and a later text has a new one', async () => {
    const { texts, keys } = await open();
    const text = await texts.encrypt(ANN, 'a', HAS_AGE);
    day = GONE - 1;
    expect(await sweep()).toBe(0);
    expect(await texts.decrypt(text)).toBe('a');
    day = GONE;
    expect(await sweep()).toBe(1);
    expect(await left()).toEqual(NOTHING);
    expect(await texts.decrypt(text)).toBeNull();
    expect(await keys.destroy(ANN)).toBe(0);
    const later = await texts.encrypt(ANN, 'b', HAS_AGE);
    expect(await texts.decryptAll([text, later])).toEqual([null, 'b']);
    expect(await keys.destroy(ANN)).toBe(1);
  });

  it('stays for as long again when it was used since', async () => {
    const { texts } = await open();
    await texts.encrypt(ANN, 'a', HAS_AGE);
    day = 50;
    const text = await texts.encrypt(ANN, 'b', HAS_AGE);
    day = GONE + 49;
    expect(await sweep()).toBe(0);
    expect(await texts.decrypt(text)).toBe('b');
    day = GONE + 50;
    expect(await sweep()).toBe(1);
  });

  it('stays while an event has the text, however old, and goes after that', async () => {
    const { texts } = await open();
    const text = await texts.encrypt(ANN, 'a', HAS_AGE);
    record(text);
    for (day = GONE; day < 5 * GONE; day += GONE) {
      expect(await sweep()).toBe(0);
      expect(await texts.decrypt(text)).toBe('a');
    }
    events.remove(() => true);
    expect(await sweep()).toBe(1);
  });

  it('goes when its text was deleted, although the global order has it still', async () => {
    const { texts } = await open();
    record(await texts.encrypt(ANN, 'a', HAS_AGE));
    day = GONE;
    const store = new InMemoryEventStore(events);
    jest.spyOn(store, 'readStream').mockImplementation(() => new InMemoryEventStore().readStream('visit-1'));
    expect(await sweep(undefined, store)).toBe(1);
  });

  it('without a day counts as used when it is first seen', async () => {
    const { vault, keys, texts } = await open();
    await keys.ofSubject(ANN, HAS_AGE);
    const { key } = (await left()).document!;
    const document = { _id: ANN, changes: 1, key };
    await vault.commit({
      writes: [{ collection: ERASURE_KEYS.name, id: ANN, document }],
      checkpoint: { name: changesCheckpoint(ANN), value: { position: 1 } },
    });
    const text = await texts.encrypt('ton:other', 'a', HAS_AGE);
    day = 1_000;
    expect(await sweep()).toBe(1);
    expect(await texts.decrypt(text)).toBeNull();
    day = 1_000 + GONE - 1;
    expect(await sweep()).toBe(0);
    day = 1_000 + GONE;
    expect(await sweep()).toBe(1);
    expect(await left()).toEqual(NOTHING);
  });

  it('that was erased before stays known to be so', async () => {
    const { keys } = await open();
    await keys.ofSubject(ANN, HAS_AGE);
    await keys.ofSubject('ton:bob', HAS_AGE);
    for (const subject of [ANN, 'ton:bob']) await keys.destroy(subject);
    await keys.ofSubject('ton:bob', HAS_AGE);
    day = GONE;
    expect(await sweep()).toBe(0);
    expect(await keys.destroy(ANN)).toBe(1);
    expect(await keys.destroy('ton:bob')).toBe(2);
  });

  it('stays when it has also encrypted what has none, and so do those of others', async () => {
    const { texts } = await open();
    const kept = [
      await texts.encrypt(ANN, 'a', HAS_AGE),
      await texts.encrypt(ANN, 'b'),
      await texts.encrypt('ton:bob', 'c'),
      await texts.encrypt('ton:bob', 'd', HAS_AGE),
      await texts.encrypt('push:phone', 'e', HAS_AGE),
      await texts.encrypt('ann', 'f'),
    ];
    day = GONE;
    expect(await sweep()).toBe(0);
    expect(await texts.decryptAll(kept)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('records its use once a day', async () => {
    const { keys, vault } = await open();
    const commits = jest.spyOn(vault, 'commit');
    for (day = 1; day <= 3; day += 1) for (let n = 0; n < 5; n += 1) await keys.ofSubject(ANN, HAS_AGE);
    expect(commits).toHaveBeenCalledTimes(3);
    expect((await left()).document).toMatchObject({ changes: 1, usedAt: '1970-01-04' });
  });
});

describe('while a key goes', () => {
  /** Something else happens whole at each moment of some work, which is done in another program. @returns the moments */
  const atEachMoment = async (
    work: (program: Awaited<ReturnType<typeof open>>) => Promise<unknown>,
    interrupt: () => Promise<unknown>,
    check: () => Promise<unknown>,
  ): Promise<number> => {
    for (let moment = 0; ; moment += 1) {
      [day, places] = [0, new StoredDocuments()];
      await (await open()).texts.encrypt(ANN, 'a', HAS_AGE);
      day = GONE;
      const vault = new InterruptedDocuments(places);
      const program = await open(vault);
      [vault.callsUntil, vault.interrupt] = [moment, interrupt];
      await work(program);
      if (vault.callsUntil >= 0) return moment;
      await check();
    }
  };
  let text: EncryptedText;
  const encrypt = async ({ texts }: Pick<Awaited<ReturnType<typeof open>>, 'texts'>): Promise<void> => {
    text = await texts.encrypt(ANN, 'b', HAS_AGE);
  };
  const isReadable = async (): Promise<void> => expect(await (await open()).texts.decrypt(text)).toBe('b');

  it('a text that is encrypted is readable', async () => {
    const moments = await atEachMoment(
      ({ vault }) => sweep(vault),
      async () => encrypt(await open()),
      isReadable,
    );
    expect(moments).toBeGreaterThanOrEqual(3);
  });

  it('a text that was being encrypted is readable', async () => {
    expect(await atEachMoment(encrypt, () => sweep(), isReadable)).toBeGreaterThanOrEqual(4);
  });

  it('an erasure is one of a key, or of nothing', async () => {
    let destroyed: number;
    const isErased = async (): Promise<void> => {
      const { keys } = await open();
      expect(await keys.destroy(ANN)).toBe(destroyed);
      expect((await left()).document?.key ?? null).toBeNull();
      await keys.ofSubject(ANN, HAS_AGE);
      expect(await keys.destroy(ANN)).toBe(destroyed + 1);
    };
    const destroy = async ({ keys }: Awaited<ReturnType<typeof open>>): Promise<void> => {
      destroyed = await keys.destroy(ANN);
    };
    await atEachMoment(
      ({ vault }) => sweep(vault),
      async () => destroy(await open()),
      isErased,
    );
    await atEachMoment(destroy, () => sweep(), isErased);
  });

  it('another program that deletes it too does no harm', async () => {
    const isGone = async (): Promise<void> => expect(await left()).toEqual(NOTHING);
    await atEachMoment(
      ({ vault }) => sweep(vault),
      () => sweep(),
      isGone,
    );
  });
});

describe('the keys that go', () => {
  const retentions = [
    APP_REVIEW_RETENTION,
    PUSH_DEVICE_RETENTION,
    PUSH_HOUR_RETENTION,
    APP_REPORT_RETENTION,
    PUSH_NOTIFICATION_RETENTION,
  ];

  it('outlive the longest age of what they encrypt', () => {
    expect(agingKeysOf(retentions, ({ days }) => days)).toEqual([
      { subjects: 'ton:', categories: ['appReview', 'appReport'], days: 730 },
      { subjects: 'push:', categories: ['pushDevice', 'pushNotification'], days: 90 },
    ]);
  });

  it('are not those of texts of which some stay for good', () => {
    const daysOf = ({ name, days }: { name: string; days: number }) => (name === 'app_report' ? 0 : days);
    expect(agingKeysOf(retentions, daysOf).map(({ subjects }) => subjects)).toEqual(['push:']);
  });
});
