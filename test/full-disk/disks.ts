import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk that can be filled and freed again under a program that writes to it. */
export interface Disk {
  /** What it is, for the names of tests. */
  readonly name: string;
  /** What a program is expected to say of it when it is full. */
  readonly words: RegExp;
  readonly folder: string;
  fill(pid: number): void;
  free(pid: number): void;
  remove(): void;
}

const MIB = 1024 * 1024;

const works = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const skipped = (what: string): void =>
  void process.stderr.write(`SKIPPED, it cannot be done on this machine: ${what}\n`);

const limitFiles = (pid: number, bytes: string): void =>
  void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);

/** Files of a process may not grow, by its limit of their size: this needs no rights. Null where there is no `prlimit`. */
export function limitedDisk(): Disk | null {
  if (!works('prlimit', '--version')) {
    skipped('to limit the size of files (prlimit)');
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-limited-'));
  return {
    name: 'a disk that refuses all writes',
    words: /the disk cannot be read or written|files may not become large enough/,
    folder,
    fill: pid => limitFiles(pid, '0'),
    free(pid) {
      if (works('kill', '-0', String(pid))) limitFiles(pid, 'unlimited');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A small disk of its own, to be filled for real. Null where this process may not mount one. */
export function smallDisk(size = 96 * MIB): Disk | null {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-small-'));
  if (!works('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder)) {
    rmSync(folder, { recursive: true });
    skipped('to mount a small disk and fill it');
    return null;
  }
  const ballast = join(folder, 'ballast');
  return {
    name: 'a small disk that is full',
    words: /the disk is full/,
    folder,
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

/** All that can be had on this machine. */
export function disks(): readonly Disk[] {
  return [limitedDisk(), smallDisk()].filter(disk => disk !== null);
}
