/** The published program, other software with the same protocol, or our double. */
export type Kind = 'real' | 'stand-in' | 'double';

export interface RunningServer {
  /** The value of the setting that connects Tidemark to it. */
  readonly url: string;
  /** Name and version, as it reports them. */
  readonly version: string;
  /** Stops it gracefully, and removes its data. */
  stop(): Promise<void>;
  /** Kills it with SIGKILL. Durable data stays. */
  kill(): Promise<void>;
  /** Starts it again at the same address with its data; resolves once it answers. */
  restart(): Promise<void>;
  /** Copies its data into a new folder while it runs, as a snapshot of its volume would: as they are at one moment. */
  snapshot(folder: string): Promise<void>;
  /** Kills it, and starts it at the same address with the data of a snapshot. */
  restore(snapshot: string): Promise<void>;
}

/** What answers at an address. */
export interface Identity {
  readonly kind: Kind;
  readonly version: string;
}

export interface TestServer {
  readonly name: string;
  /** Of what `start` starts. */
  readonly kind: Kind;
  /** What a server says that it is; absent where servers do not say it. */
  readonly identify?: (url: string) => Promise<Identity>;
  readonly setting: 'EVENTSTORE_URL' | 'KAFKA_BROKERS' | 'MONGODB_URL' | 'REDIS_URL';
  /**
   * Downloads the server if necessary, starts it, and resolves once a real request was answered. @throws when it takes
   * too long
   */
  start(folder: string): Promise<RunningServer>;
}
