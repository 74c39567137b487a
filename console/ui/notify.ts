import { type NotificationData, notifications } from '@mantine/notifications'
import i18next from 'i18next'
import type { ReactNode } from 'react'

/** Shows a message. It goes away by itself, and screen readers read it. */
export function notify(message: string): void {
  show({ message, autoClose: 5000, role: 'status' })
}

/** Shows a failure, once. The message stays until it is closed. */
export function notifyFailure(message: string): void {
  show({ id: message, message, autoClose: false, color: 'red', role: 'alert' })
}

/**
 * Shows something in progress, on whatever page is open meanwhile, until the content calls `close`.
 * @param name its name for screen readers
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
  // This is in the first script, so that a lost connection can be reported.
  notifications.show({ ...message, withBorder: true, closeButtonProps })
}
