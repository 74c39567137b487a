import { withTexts } from '../../../texts/index.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'

/** The dialog that asks until when, which loads with its texts when it is first shown. */
export const SnoozeDialog = lazyPart(
  withTexts(() => import('../../snooze/SnoozeDialog.tsx')),
  'SnoozeDialog',
  'in a notice',
)
