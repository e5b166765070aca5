/** Bundles tests/fuse/<name>.ts. @returns the path of build/<name>.cjs */
export function bundle(name: string): string;
