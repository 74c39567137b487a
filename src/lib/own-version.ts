import { createRequire } from 'node:module'

/** The version of Parley that runs, such as `0.2.0`. */
export const OWN_VERSION: string = createRequire(import.meta.url)('../../package.json').version
