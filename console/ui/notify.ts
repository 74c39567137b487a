import { type NotificationData, notifications } from '@mantine/notifications'
import i18next from 'i18next'
import type { ReactNode } from 'react'

/** Says what has happened. It goes by itself, and screen readers hear it. */
export function notify(message: string): void {
  show({ message, autoClose: 5000, role: 'status' })
}

/** Says what could not be done, once. It stays until it is closed. */
export function notifyFailure(message: string): void {
  show({ id: message, message, autoClose: false, color: 'red', role: 'alert' })
}

/**
 * Keeps something in sight that goes on, whatever page is shown meanwhile, until it calls `close`.
 * @param name what it is, for those who hear it
 */
export function keepNotice(id: string, name: string, content: (close: () => void) => ReactNode): void {
  show({
    id,
    message: content(() => notifications.hide(id)),
    autoClose: false,
    withCloseButton: false,
    role: 'region',
    'aria-label': name,
  })
}

function show(message: NotificationData): void {
  const closeButtonProps = { 'aria-label': i18next.t('common.close') }
  // In the first script, so that a lost connection can be told of.
  notifications.show({ ...message, withBorder: true, closeButtonProps })
}
