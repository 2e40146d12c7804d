import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk that can be filled and freed while a program writes to it. */
export interface Disk {
  /** Matches the error that a program reports when the disk is full. */
  readonly errorPattern: RegExp;
  readonly folder: string;
  /** Whether it is full for every process, not only for the one passed to `fill`. */
  readonly isShared: boolean;
  fill(pid: number): void;
  free(pid: number): void;
  remove(): void;
}

const SIZE_BYTES = 96 * 1024 ** 2;

const works = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const limitFiles = (pid: number, bytes: string): void =>
  void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);

/** Limits the file size of a process, which needs no privileges. Null where there is no `prlimit`. */
function limitedDisk(): Disk | null {
  if (!works('prlimit', '--version')) return null;
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-limited-'));
  return {
    errorPattern: /the disk cannot be read or written|files may not become large enough/,
    folder,
    isShared: false,
    fill: pid => limitFiles(pid, '0'),
    free(pid) {
      if (works('kill', '-0', String(pid))) limitFiles(pid, 'unlimited');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A small tmpfs. Null where this process may not mount one. */
function smallDisk(): Disk | null {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-small-'));
  if (!works('mount', '-t', 'tmpfs', '-o', `size=${SIZE_BYTES}`, 'tmpfs', folder)) {
    rmSync(folder, { recursive: true });
    return null;
  }
  const ballast = join(folder, 'ballast');
  return {
    errorPattern: /the disk is full/,
    folder,
    isShared: true,
    fill() {
      const descriptor = openSync(ballast, 'a');
      const bytes = Buffer.alloc(4096);
      try {
        for (;;) writeSync(descriptor, bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(descriptor);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      // Lazily: libsql holds files until its statements are collected.
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

const KINDS = [
  { name: 'a disk that refuses all writes', open: limitedDisk, needs: 'prlimit' },
  { name: 'a small disk that is full', open: smallDisk, needs: 'the privilege to mount a tmpfs' },
];

const NO_DISK: Disk = {
  errorPattern: /^/,
  folder: '',
  isShared: true,
  fill: () => undefined,
  free: () => undefined,
  remove: () => undefined,
};

/**
 * Defines the tests for each kind of disk, or for the first one. Those of a kind that this machine does not support are
 * reported as skipped.
 */
export function describeDisks(define: (disk: Disk) => void, kinds = KINDS.length): void {
  for (const { name, open, needs } of KINDS.slice(0, kinds)) {
    const disk = open();
    if (disk)
      describe(`on ${name}`, () => {
        afterAll(() => disk.remove());
        define(disk);
      });
    else describe.skip(`on ${name} (skipped: this machine lacks ${needs})`, () => define(NO_DISK));
  }
}
