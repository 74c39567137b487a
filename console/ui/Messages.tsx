import { Notifications } from '@mantine/notifications'

/** Where it is said what happened after something was done. */
export function Messages() {
  return <Notifications position="bottom-right" limit={4} />
}
