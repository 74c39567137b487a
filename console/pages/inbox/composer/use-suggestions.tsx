import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAgent } from '../../../api/session.ts'
import type { Suggestion } from './Suggestions.tsx'
import { mentionToken, replyToken, type Token } from './tokens.ts'
import type { Mode } from './use-draft.ts'

const none: readonly Suggestion[] = []

/** Returns the suggestions for the text before the caret: canned replies after `/`, colleagues after `@` in a note. */
export function useSuggestions(
  conversationId: string,
  mode: Mode,
  beforeCaret: string | null,
): { token: Token | null; kind: 'replies' | 'colleagues'; items: readonly Suggestion[] } {
  const { api, key } = useAgent()
  const reply = beforeCaret === null ? null : replyToken(beforeCaret)
  const mention = beforeCaret === null || mode !== 'note' ? null : mentionToken(beforeCaret)
  const replies = useQuery({
    queryKey: key('conversation', conversationId, 'replies', reply?.query.trim() ?? ''),
    queryFn: async ({ signal }) =>
      (
        await api.get(
          `/conversations/${conversationId}/replies`,
          { q: reply?.query.trim(), per_page: 20 },
          signal,
        )
      ).data,
    enabled: reply !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const colleagues = useQuery({
    queryKey: ['colleagues'],
    queryFn: async () => (await api.get('/colleagues')).data,
    enabled: mention !== null,
    staleTime: 60_000,
  })
  if (reply) {
    const items = (replies.data ?? []).map(({ id, shortcut, content }) => ({
      id: String(id),
      name: `/${shortcut}`,
      preview: content,
      text: content,
    }))
    return { token: reply, kind: 'replies', items }
  }
  if (mention) {
    const typed = mention.query.toLowerCase()
    const fitting = (colleagues.data ?? []).filter(({ name, display_name }) =>
      [name, display_name].some((known) => known.toLowerCase().startsWith(typed)),
    )
    const items = fitting.slice(0, 8).map(({ id, name }) => ({ id: String(id), name, text: `@${name} ` }))
    return { token: mention, kind: 'colleagues', items }
  }
  return { token: null, kind: 'replies', items: none }
}
