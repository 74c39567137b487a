import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import './Messages.css'

/** Short messages about results, away from the composer and the menus at the bottom, which are used next. */
export function Messages() {
  const isPhone = useMediaQuery('(max-width: 48em)')
  return <Notifications position={isPhone ? 'top-center' : 'top-right'} containerWidth={360} limit={4} />
}
