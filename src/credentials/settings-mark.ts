import { createHmac } from 'node:crypto'
import { type Config, comparableSettings } from '../config.ts'
import type { Credentials } from './credentials.ts'

/**
 * Returns a keyed hash of the settings: the same for two processes of one installation with the same settings, and of
 * no use without the installation's keys.
 */
export function settingsMark(config: Config, credentials: Pick<Credentials, 'deriveKey'>): string {
  return createHmac('sha256', credentials.deriveKey('settings'))
    .update(comparableSettings(config))
    .digest('hex')
}
