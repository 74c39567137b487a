import { SnoozeDialog } from './lazy-dialog.ts'
import { useSnooze } from './use-snooze.ts'

interface SnoozeConversationProps {
  conversationId: string
  isSnoozed: boolean
  onClose: () => void
}

/** The dialog that puts one conversation aside. */
export function SnoozeConversation({ conversationId, isSnoozed, onClose }: SnoozeConversationProps) {
  const snoozing = useSnooze(conversationId)
  return (
    <SnoozeDialog
      count={undefined}
      isSnoozed={isSnoozed}
      onSnooze={(until) => snoozing.mutate(until)}
      onClose={onClose}
    />
  )
}
