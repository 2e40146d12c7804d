/** Things with a weight, of which the heaviest is found without a look at the others, however many there are. */
export class ByWeight<Thing> {
  readonly #things: Set<Thing>[] = [];
  #most = 0;

  /** @param before 0: it is new. @param after 0: it goes. Both are whole numbers */
  change(thing: Thing, before: number, after: number): void {
    this.#things[before]?.delete(thing);
    if (after > 0) (this.#things[after] ??= new Set()).add(thing);
    this.#most = Math.max(this.#most, after);
    while (this.#most > 0 && !this.#things[this.#most]?.size) this.#most -= 1;
  }

  /** With their weights, the heaviest first. */
  *heaviestFirst(): Generator<{ readonly thing: Thing; readonly weight: number }, undefined> {
    for (let weight = this.#most; weight > 0; weight -= 1)
      for (const thing of this.#things[weight] ?? []) yield { thing, weight };
  }
}
