import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import { PlusIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { Dialogue } from './Dialogue.tsx'
import { useDialogue } from './use-dialogue.ts'

/** A conversation with the agent that is not stored, with a trace beside each answer. */
export function PlaygroundPage() {
  const { id } = useAgent()
  return <PlaygroundOf key={id} />
}

function PlaygroundOf() {
  const { t } = useTranslation()
  const dialogue = useDialogue()
  return (
    <Page
      title={t('pages.playground')}
      lead={t('playground.lead')}
      actions={
        <Button
          variant="default"
          leftSection={<PlusIcon />}
          disabled={dialogue.turns.length === 0}
          onClick={dialogue.begin}
        >
          {t('playground.begin')}
        </Button>
      }
    >
      <Dialogue dialogue={dialogue} />
    </Page>
  )
}
