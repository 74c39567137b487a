import type { NextItems } from '../../mailboxes/run-mailboxes.ts'
import type { MailboxItemRow } from '../../mailboxes/tables.ts'

/**
 * Chooses the items to work next in a chat in which a widget's conversation goes on. Once a message has waited long enough
 * to be seen, all that wait go out together. Until then they keep nothing else waiting.
 * @param nextOf chooses among the other items
 */
export function nextUnseen(
  items: readonly MailboxItemRow[],
  nowMs: number,
  nextOf: (others: MailboxItemRow[]) => NextItems,
): NextItems {
  const [sends, others] = [items.filter(isSend), items.filter((item) => !isSend(item))]
  // A process that died may have sent these, and none of the others.
  const begun = sends.filter(({ state }) => state === 'sending')
  if (begun.length > 0) return begun
  const due = sends.map(({ due_at }) => due_at).sort()[0]
  if (due !== undefined && Date.parse(due) <= nowMs) return sends
  const next = nextOf(others)
  if (due === undefined || (Array.isArray(next) && next.length > 0)) return next
  return { waitUntil: Array.isArray(next) || next.waitUntil > due ? due : next.waitUntil }
}

function isSend({ kind }: MailboxItemRow): boolean {
  return kind === 'send'
}
