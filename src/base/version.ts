/** What the program calls itself. */

/** Release of this program; the same as in package.json. */
export const VERSION = '0.1.0';

/** Day of the release. */
export const RELEASE_DATE = '2026-11-30';

/** Release of gocryptfs whose command line and messages are reproduced (behaviour.md, conventions). */
export const COMPATIBLE_VERSION = 'v2.6.1';

/** The name under which the program stands in for gocryptfs. */
export const COMPATIBLE_NAME = 'gocryptfs';

/** The name under which it stands in for gocryptfs's inspection tool. */
export const COMPATIBLE_XRAY_NAME = 'gocryptfs-xray';

/** Name and release as one text: what -version starts with and what a new vault names as its creator. */
export function programRelease(program: string): string {
  const standsIn = program === COMPATIBLE_NAME || program === COMPATIBLE_XRAY_NAME;
  return `${program} ${standsIn ? COMPATIBLE_VERSION : VERSION}`;
}
