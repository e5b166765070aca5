/** What a mounted view does for the control socket; each kind of view has its own implementation. */

/** The number of failures that have no errno, or none that clients are told (behaviour.md 8.3). */
export const NO_ERRNO = -1;

/** A translated path, or why there is none: a positive errno where clients rely on it (ENOENT), else NO_ERRNO. */
export type Translation = { readonly path: Uint8Array } | { readonly errno: number; readonly text: string };

/** Translates canonical, non-empty paths relative to the root. */
export interface PathTranslator {
  /** Encrypted path of a plaintext path. */
  encryptPath(path: Uint8Array): Translation;
  /** Plaintext path of an encrypted path. */
  decryptPath(path: Uint8Array): Translation;
}
