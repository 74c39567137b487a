import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { setPreference, usePreference } from '../../../api/preferences.ts'

/** Tells whether a conversation's details are shown. Where there is no room they cover it, so they begin closed. */
export function useDetailsShown(): { isShown: boolean; toggle: () => void } {
  const hasRoom = useMediaQuery('(min-width: 75.01em)', undefined, { getInitialValueInEffect: false })
  const standBeside = usePreference('detailsShown')
  const [covers, setCovers] = useState(false)
  return {
    isShown: hasRoom ? standBeside : covers,
    toggle: () => (hasRoom ? setPreference('detailsShown', !standBeside) : setCovers(!covers)),
  }
}
