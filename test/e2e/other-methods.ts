import { EXAMPLES } from './examples';
import type { Installation } from './installation';
import { pathOf } from './malformed-requests';

/** What a page asks before its call, and what no page asks. */
const PREFLIGHTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
  {
    origin: 'null',
    'access-control-request-method': 'x'.repeat(2_000),
    'access-control-request-headers': ','.repeat(2_000),
  },
  { origin: 'file://\u00ff', 'access-control-request-method': '', 'access-control-request-headers': '*' },
];

export function otherMethods(main: Installation): void {
  const send = async (method: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(main.program.url + path, { method, headers });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  };
  const places = [
    ...new Set(
      EXAMPLES.flatMap(example =>
        [example.path, ...example.aliases].map(path => pathOf({ ...example, path })),
      ),
    ),
  ];
  const wrongPlaces = places.flatMap(path => [`${path}/`, `${path}%00`, path.replace(/[^/]+$/, '%E0%A4%A')]);

  it.each(['OPTIONS', 'HEAD', 'PUT', 'PROPFIND'])(
    '%s is answered everywhere, and never with a 500',
    async method => {
      for (const path of [...places, ...wrongPlaces])
        for (const headers of method === 'OPTIONS' ? PREFLIGHTS : [{}]) {
          const answer = await send(method, path, headers);
          // Nothing that is read from a chain was read yet.
          if (answer.status >= 500) expect([path, answer.status]).toEqual([path, 503]);
          if (method === 'HEAD') expect([path, answer.text]).toEqual([path, '']);
        }
    },
  );

  it('HEAD has the status and the type of GET', async () => {
    for (const example of EXAMPLES.filter(({ method, kind }) => method === 'GET' && kind === 'json')) {
      const query = new URLSearchParams(example.query).toString();
      const path = pathOf(example) + (query && `?${query}`);
      const [get, head] = [await send('GET', path), await send('HEAD', path)];
      if (get.status === 503 || head.status === 503) continue;
      expect([path, head.status, head.type]).toEqual([path, get.status, get.type]);
    }
  });
}
