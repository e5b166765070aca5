/** The real files that the demonstration copies. */
import fs from 'node:fs';
import path from 'node:path';

/** Some regular files below a folder. */
export interface FileSet {
  readonly folder: string;
  /** Paths relative to the folder. */
  readonly files: readonly string[];
  /** Size of all together. */
  readonly bytes: number;
}

/** How much to take at most. */
export interface FileLimits {
  readonly files: number;
  readonly bytes: number;
}

/** Files between two pauses. */
const PAUSE_EVERY = 50;

/** Collects readable regular files, in the order of their names, until a limit is reached. */
export function collectFiles(folder: string, limits: FileLimits): FileSet {
  const files: string[] = [];
  let bytes = 0;
  const visit = (relative: string): boolean => {
    for (const entry of listFolder(path.join(folder, relative))) {
      const name = path.join(relative, entry.name);
      if (entry.isDirectory()) {
        if (!visit(name)) {
          return false;
        }
      } else if (entry.isFile()) {
        const size = readableSize(path.join(folder, name));
        if (size < 0) {
          continue;
        }
        if (files.length >= limits.files || bytes + size > limits.bytes) {
          return false;
        }
        files.push(name);
        bytes += size;
      }
    }
    return true;
  };
  visit('');
  return { folder, files, bytes };
}

function listFolder(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Size of a file that may be read, else −1. */
function readableSize(file: string): number {
  try {
    fs.accessSync(file, fs.constants.R_OK);
    return fs.statSync(file).size;
  } catch {
    return -1;
  }
}

/** Copies the set to a new folder, by reading and writing as any program would. */
export async function copyFiles(set: FileSet, target: string, pause: () => Promise<void>): Promise<void> {
  const made = new Set<string>();
  for (const [at, name] of set.files.entries()) {
    const folder = path.dirname(path.join(target, name));
    if (!made.has(folder)) {
      fs.mkdirSync(folder, { recursive: true });
      made.add(folder);
    }
    fs.writeFileSync(path.join(target, name), fs.readFileSync(path.join(set.folder, name)));
    if (at % PAUSE_EVERY === 0) {
      await pause();
    }
  }
}

/** Compares a copy with its source. @returns the first file that differs, or undefined */
export async function compareFiles(set: FileSet, copy: string, pause: () => Promise<void>): Promise<string | undefined> {
  for (const [at, name] of set.files.entries()) {
    if (!fs.readFileSync(path.join(copy, name)).equals(fs.readFileSync(path.join(set.folder, name)))) {
      return name;
    }
    if (at % PAUSE_EVERY === 0) {
      await pause();
    }
  }
  return undefined;
}
