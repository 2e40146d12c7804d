import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBackoff } from '../../contracts/retry/backoff';
import { isChanged, type AccountMessage, type AccountState } from './account-stream-state';

/** Is given the newest message; must not throw. */
export type Watcher = (message: AccountMessage) => void;

/** Watchers notified in one turn of the event loop. */
const MAX_NOTIFIED_AT_ONCE = 256;
/** Between reads of a state that is not current: an observation soon after another one is not made. */
const MIN_REFRESH_MS = 1_500;
const MAX_REFRESH_MS = 60_000;

/** The state of one account, and its watchers. */
export class AccountEntry {
  readonly watchers = new Set<Watcher>();
  #state: AccountState | null = null;
  /** Watchers were promised every change although the state could not be read. */
  #hasMissed = false;
  #reading: Promise<void> | null = null;
  #isStale = false;
  /** The newest message that watchers have not been notified of. */
  #pending: AccountMessage | null = null;
  #isNotifying = false;
  #timer: NodeJS.Timeout | null = null;
  readonly #backoff = createBackoff(MIN_REFRESH_MS, MAX_REFRESH_MS);

  /** @param onDue called when `refresh` should be called again */
  constructor(
    private readonly readState: () => Promise<AccountState>,
    private readonly onDue: (entry: AccountEntry) => void,
  ) {}

  /** Ends its timer. */
  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Resolves when watchers will be notified of every later change, at once if the state is known. */
  async ready(): Promise<void> {
    if (this.#state) return;
    try {
      await this.refresh();
    } catch (error) {
      this.#hasMissed = true;
      throw error;
    }
  }

  /** The message of the state as it is known; null before the history can be read. */
  current(): AccountMessage | null {
    return this.#state?.isReadable ? this.#state.message : null;
  }

  /** Reads the state and notifies watchers of a change. One read at a time, so that no older state replaces a newer one. */
  refresh(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readWhileStale();
    return this.#reading;
  }

  async #readWhileStale(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false;
        const before = this.#state;
        const after = await this.readState();
        // What changed meanwhile is notified of when the histories can be read: they are compared with the last that could.
        if (after.isReadable || !before) this.#state = after;
        if (after.isReadable && (before ? isChanged(before, after) : this.#hasMissed))
          void this.#notify(after.message);
        if (after.isCurrent) this.#backoff.reset();
        else this.#scheduleRefresh();
      }
    } finally {
      // In the same turn as the last look at the flag: a refresh in between would wait for a read that is over.
      this.#reading = null;
    }
  }

  #scheduleRefresh(): void {
    if (this.watchers.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.onDue(this);
    }, this.#backoff.next()).unref();
  }

  /** Notifies all watchers; of what changes meanwhile afterwards, and only of its newest state. */
  async #notify(message: AccountMessage): Promise<void> {
    this.#pending = message;
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    while (this.#pending) {
      const newest: AccountMessage = this.#pending;
      this.#pending = null;
      let notified = 0;
      for (const watcher of [...this.watchers]) {
        watcher(newest);
        if (++notified % MAX_NOTIFIED_AT_ONCE === 0) await nextTurn();
      }
    }
    this.#isNotifying = false;
  }
}
