/** The clients that each network was the first to connect as, in the order of their last use. */
export class NamedClients {
  private readonly byNetwork = new Map<string, Set<string>>();
  /** The networks with so many clients. */
  private readonly byCount: Set<string>[] = [];
  private most = 0;

  used(network: string, client: string): void {
    const clients = this.byNetwork.get(network) ?? new Set();
    const before = clients.size;
    this.byNetwork.set(network, clients);
    clients.delete(client);
    clients.add(client);
    this.count(network, before, clients.size);
  }

  remove(network: string, client: string): void {
    const clients = this.byNetwork.get(network);
    if (!clients?.delete(client)) return;
    if (clients.size === 0) this.byNetwork.delete(network);
    this.count(network, clients.size + 1, clients.size);
  }

  countOf(network: string): number {
    return this.byNetwork.get(network)?.size ?? 0;
  }

  leastRecent(network: string): string {
    const [first] = this.byNetwork.get(network)!;
    return first!;
  }

  /** The network with most clients: of several the one that asks for another place. */
  heaviest(asking: string): string {
    const [any] = this.byCount[this.most]!;
    return this.countOf(asking) === this.most ? asking : any!;
  }

  private count(network: string, before: number, after: number): void {
    if (before === after) return;
    this.byCount[before]?.delete(network);
    (this.byCount[after] ??= new Set()).add(network);
    // Counts change by one.
    if (after > this.most) this.most = after;
    else if (before === this.most && this.byCount[before]!.size === 0) this.most = after;
  }
}
