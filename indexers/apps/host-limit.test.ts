import { createHostLimit, HostBusy } from './host-limit';

it('counts the hosts of one registrable domain together', async () => {
  const hosts = createHostLimit(3);
  for (const host of ['example.com', 'a.example.com', 'b.a.example.com']) await hosts.admit(host);
  await expect(hosts.admit('c.example.com')).rejects.toThrow(HostBusy);
  await hosts.admit('example.org');
});

it('counts those apart that different people have under one public suffix', async () => {
  const hosts = createHostLimit(1);
  for (const host of ['ann.github.io', 'bob.github.io', 'a.co.uk', 'b.co.uk']) await hosts.admit(host);
  await expect(hosts.admit('www.ann.github.io')).rejects.toThrow('ann.github.io was asked 1 times');
});
