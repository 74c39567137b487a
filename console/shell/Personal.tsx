import { Suspense } from 'react'
import { withDeskTexts } from '../texts/index.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { AvailabilitySwitch } from './AvailabilitySwitch.tsx'

const Bell = lazyPart(
  withDeskTexts(() => import('./Bell.tsx')),
  'Bell',
)

/** The part of the side bar for the signed-in person alone. */
export function Personal() {
  return (
    <>
      <Suspense fallback={<div className="shell-personal" />}>
        <Bell />
      </Suspense>
      <AvailabilitySwitch />
    </>
  )
}
