import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import { copyText } from '../../../ui/copy-text.ts'
import { useAction } from '../../../ui/use-action.ts'
import { completionQuery } from './completion-query.ts'

/** A button that copies an answer with the sources that it cites. */
export function CopyAnswer({ text, completionId }: { text: string; completionId: string }) {
  const { t } = useTranslation()
  const agent = useAgent()
  const queries = useQueryClient()
  const copying = useAction({
    run: async () => {
      const { citations } = await queries.ensureQueryData(completionQuery(agent, completionId))
      const sources = citations.map(
        ({ title, url }, index) => `[${index + 1}] ${title}${url ? ` – ${url}` : ''}`,
      )
      const named = sources.length > 0 ? `\n\n${t('inbox.sources')}\n${sources.join('\n')}` : ''
      await copyText(text + named)
    },
    done: t('common.copied'),
  })
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      px={0}
      aria-label={t('inbox.copyAnswer')}
      onClick={() => copying.mutate()}
    >
      {t('common.copy')}
    </Button>
  )
}
