import { Button, Group, Menu, Popover, Stack, TextInput } from '@mantine/core'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languages } from '../../../../texts/index.ts'
import { languageName } from '../../../../ui/language-name.ts'
import { useActions } from '../../../../ui/page-actions.ts'
import { useLanguage } from '../../copilot/use-language.ts'
import type { OpenDraft } from '../use-draft.ts'
import { MadeText } from './MadeText.tsx'
import { useCopilot } from './use-copilot.ts'

interface CopilotProps {
  conversationId: string
  draft: OpenDraft
  field: RefObject<HTMLTextAreaElement | null>
}

const WISHES = ['shorter', 'longer', 'friendlier', 'formal', 'correct'] as const

/** The help of the model in writing an answer: it suggests, rewrites and translates, and the person decides. */
export function Copilot({ conversationId, draft, field }: CopilotProps) {
  const { t } = useTranslation()
  const copilot = useCopilot(conversationId, draft)
  const { made } = copilot
  const isEmpty = draft.text.trim() === ''
  const ofUser = useLanguage(conversationId)
  const targets = [...new Set([...(ofUser === null ? [] : [ofUser]), ...languages])]
  useActions([
    { id: 'suggest', label: t('copilot.suggest'), key: 'm', run: () => void copilot.suggest() },
    ...(copilot.canUndo ? [{ id: 'undo suggestion', label: t('copilot.undo'), run: copilot.undo }] : []),
  ])
  const toField = () => {
    // React puts the new text into the field before the next frame.
    requestAnimationFrame(() => {
      const { current } = field
      current?.focus()
      current?.setSelectionRange(current.value.length, current.value.length)
    })
  }
  return (
    <Stack gap="xs">
      {made ? (
        <MadeText
          made={made}
          isEmpty={isEmpty}
          onUse={(way) => {
            copilot.use(way)
            toField()
          }}
          onDiscard={() => {
            copilot.discard()
            toField()
          }}
        />
      ) : null}
      <Group gap="xs" role="toolbar" aria-label={t('copilot.title')}>
        <Button variant="default" size="compact-sm" onClick={() => void copilot.suggest()}>
          {t('copilot.suggest')}
        </Button>
        <WithWish isEmpty={isEmpty} onWish={(wish) => void copilot.suggest(wish)} />
        <Menu position="top-start" withinPortal>
          <Menu.Target>
            <Button variant="default" size="compact-sm" disabled={isEmpty}>
              {t('copilot.translate')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {targets.map((language) => (
              <Menu.Item key={language} lang={language} onClick={() => void copilot.translate(language)}>
                {languageName(language)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {copilot.canUndo ? (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              copilot.undo()
              toField()
            }}
          >
            {t('copilot.undo')}
          </Button>
        ) : null}
      </Group>
    </Stack>
  )
}

/** A field for what the person wants of the suggested reply. */
function WithWish({ isEmpty, onWish }: { isEmpty: boolean; onWish: (wish: string) => void }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [wish, setWish] = useState('')
  const ask = (asked: string) => {
    if (asked.trim() === '') return
    setOpen(false)
    setWish('')
    onWish(asked.trim())
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top-start" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isEmpty ? 'copilot.withWish' : 'copilot.rewrite')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        aria-label={t(isEmpty ? 'copilot.withWish' : 'copilot.rewrite')}
        maw="calc(100vw - 32px)"
      >
        {/* The popover stands within the form of the answer, which must not be sent by this. */}
        <Stack gap="xs" w={320} maw="100%">
          <TextInput
            label={t(isEmpty ? 'copilot.wishForReply' : 'copilot.wishForDraft')}
            placeholder={t('copilot.wishExample')}
            maxLength={2000}
            value={wish}
            onChange={(event) => setWish(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              event.stopPropagation()
              ask(wish)
            }}
          />
          <Group gap="xs">
            {isEmpty
              ? null
              : WISHES.map((name) => (
                  <Button
                    key={name}
                    variant="default"
                    size="compact-sm"
                    onClick={() => ask(t(`copilot.wishesToModel.${name}`))}
                  >
                    {t(`copilot.wishes.${name}`)}
                  </Button>
                ))}
            <Button size="compact-sm" ms="auto" disabled={wish.trim() === ''} onClick={() => ask(wish)}>
              {t('copilot.ask')}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
