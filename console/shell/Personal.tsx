import { AvailabilitySwitch } from './AvailabilitySwitch.tsx'
import { Bell } from './Bell.tsx'

/** The part of the side bar for the signed-in person alone. */
export function Personal() {
  return (
    <>
      <Bell />
      <AvailabilitySwitch />
    </>
  )
}
