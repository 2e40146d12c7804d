import { createHostLimit, HostBusy, type AskedBy, type HostLimit } from './host-limit';

const REFRESH = { caller: null, isKnown: true };
const by = (caller: string, isKnown = false) => ({ caller, isKnown });
/** Requests that are admitted of so many. */
async function admitted(
  hosts: HostLimit,
  count: number,
  hostOf: (n: number) => string,
  asked: AskedBy = by('c'),
) {
  let admitted = 0;
  for (let n = 0; n < count; n++)
    await hosts.admit(hostOf(n), asked).then(
      () => (admitted += 1),
      error => expect(error).toBeInstanceOf(HostBusy),
    );
  return admitted;
}

it('counts the hosts of one registrable domain together', async () => {
  const hosts = createHostLimit(3);
  for (const host of ['example.com', 'a.example.com', 'b.a.example.com']) await hosts.admit(host, REFRESH);
  await expect(hosts.admit('c.example.com', REFRESH)).rejects.toThrow(HostBusy);
  await hosts.admit('example.org', REFRESH);
});

it('counts those apart that different people have under one public suffix', async () => {
  const hosts = createHostLimit(1);
  for (const host of ['ann.github.io', 'bob.github.io', 'a.co.uk', 'b.co.uk'])
    await hosts.admit(host, REFRESH);
  await expect(hosts.admit('www.ann.github.io', REFRESH)).rejects.toThrow('ann.github.io was asked 1 times');
});

it('a caller has a quarter of what the applications of a domain have that nobody knows', async () => {
  const hosts = createHostLimit(80);
  expect(await admitted(hosts, 100, n => `a${n}.example.com`)).toBe(15);
  await hosts.admit('app.example.com', by('honest'));
});

it('all callers leave requests for known applications', async () => {
  const hosts = createHostLimit(80);
  for (let n = 0; n < 10; n++) await admitted(hosts, 20, i => `a${i}.example.com`, by(`c${n}`));
  await expect(hosts.admit('app.example.com', by('honest'))).rejects.toThrow(HostBusy);
  await hosts.admit('app.example.com', by('honest', true));
  expect(await admitted(hosts, 100, n => `b${n}.example.com`, REFRESH)).toBe(19);
});

it('a host leaves half for the others of its domain', async () => {
  const hosts = createHostLimit(80);
  const refused = await admitted(hosts, 100, () => 'busy.example.com', REFRESH);
  expect(refused).toBe(40);
  await hosts.admit('app.example.com', REFRESH);
});
