import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientError } from '../../services/client-errors/store';
import { brokenKeyTexts, keyTexts, PERSONAL, PHRASE, phraseTexts } from '../client-errors/secrets';
import { until } from '../until';
import type { Installation } from './installation';

interface Listed {
  readonly errors: readonly ClientError[];
  readonly other: number;
}

/** Every file in a folder and below it, with its bytes. */
function* filesOf(folder: string): Iterable<readonly [name: string, content: string]> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    try {
      if (statSync(path).isDirectory()) yield* filesOf(path);
      else yield [path, readFileSync(path, 'latin1')];
    } catch (error) {
      // Databases that are in use come and go.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** Errors of wallets, in a program that stores them every second. */
export function clientErrors(main: Installation): void {
  const report = (body: object) => main.post('/client-error/report', body);
  const command = <Answer>(...words: string[]) => main.command<Answer>('client-errors', ...words);
  const list = () => command<Listed>('list', '--limit', '10000');
  const listed = (isThere: (errors: readonly ClientError[]) => boolean) =>
    until(list, ({ errors }) => isThere(errors));

  /** Which of the texts are in a file of the program, or in its log. */
  const found = (texts: readonly string[]): string[] => {
    const places = [...filesOf(main.settings['DATA_DIR']!), ['the log', main.program.output()] as const];
    return places.flatMap(([name, content]) => {
      const lower = content.toLowerCase();
      return texts.filter(text => lower.includes(text.toLowerCase())).map(text => `${text} in ${name}`);
    });
  };

  it('counts errors in both dialects', async () => {
    const app = {
      message: 'e2e: no balance',
      stack: 'TypeError\n    at useBalance (index.android.bundle:1:2)',
      url: 'HomeFragment',
      platform: 'android',
      appVersion: null,
      additionalData: { errorId: 'e-1', errorTimestamp: 1_767_225_600_000 },
    };
    for (let n = 0; n < 3; n++) expect((await report(app)).body).toEqual({ ok: true });
    await report({ errorType: 'e2e: SpecError', logs: ['a', 'b'], context: { screen: 'home' } });
    const { errors } = await listed(all => all.some(({ message }) => message === 'e2e: SpecError'));
    expect(errors.find(({ message }) => message === app.message)).toMatchObject({
      count: 3,
      url: 'HomeFragment',
      versions: [{ platform: 'android', appVersion: null, count: 3 }],
    });
  });

  it('stores and logs no secret of any report', async () => {
    const shapes = Object.values(phraseTexts(PHRASE)).concat(Object.values(phraseTexts(PHRASE.slice(0, 11))));
    const keys = Object.values(keyTexts('a key of a report'));
    const others = [...Object.values(brokenKeyTexts('a key of a report')), ...Object.values(PERSONAL)];
    const texts = [...shapes, ...keys, ...others.map(({ text }) => text)];
    const bodies = texts.flatMap((text, n) => [
      { message: `e2e-${n} ${text}` },
      {
        message: `e2e-${n}`,
        stack: `Error\n    at open (${text})`,
        url: text,
        additionalData: { [text]: { deep: [text] } },
      },
      { errorType: text, logs: [text], context: { text } },
    ]);
    bodies.push({
      message: 'e2e-words',
      additionalData: { words: PHRASE, bytes: [...Buffer.alloc(64, 77)] },
    } as never);
    for (const body of bodies) expect((await report(body)).status).toBe(200);
    // What is refused is not stored or logged either.
    const phrase = PHRASE.join(' ');
    expect((await report({ message: { phrase } })).status).toBe(400);
    expect((await report({ message: phrase, appVersion: phrase })).status).toBe(400);
    expect((await report({ message: phrase.repeat(200) })).status).toBe(413);
    const raw = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const malformed = await fetch(`${main.program.url}/client-error/report`, {
      ...raw,
      body: `{"message":"${phrase}`,
    });
    expect(malformed.status).toBe(400);
    expect(await malformed.text()).not.toContain('ostrich');

    await report({ message: 'e2e-last' });
    const { errors } = await listed(all => all.some(({ message }) => message === 'e2e-last'));
    const secrets = [
      ...PHRASE,
      ...keys.map(key => key.slice(8, 24)),
      ...others.map(({ secret }) => secret),
      '77,77,77',
    ];
    expect(found(secrets)).toEqual([]);
    expect(
      secrets.filter(secret => JSON.stringify(errors).toLowerCase().includes(secret.toLowerCase())),
    ).toEqual([]);
    // It would be found: what is no secret is.
    expect(found(['e2e-last'])).not.toEqual([]);
  });

  it('erases from the disk what an operator names', async () => {
    await report({ message: 'e2e: a name that nobody else has, Zebulon' });
    const isThere = ({ message }: ClientError) => message.endsWith('Zebulon');
    const { errors } = await listed(all => all.some(isThere));
    expect(found(['Zebulon'])).not.toEqual([]);
    const { fingerprint } = errors.find(isThere)!;
    expect(await command('erase', fingerprint, '--yes')).toEqual({ erased: 1 });
    expect(found(['Zebulon', 'a name that nobody else has'])).toEqual([]);
  });

  it('is in no event and no record', async () => {
    const { errors } = await list();
    expect(errors.length).toBeGreaterThan(3);
    const outside = found(['e2e-last', ...errors.map(({ fingerprint }) => fingerprint)]);
    expect(outside.filter(place => !place.includes('vault.sqlite'))).toEqual([]);
  });
}
