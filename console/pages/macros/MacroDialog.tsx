import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { Macro } from '../../api/types.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useFormattedNumber } from '../../ui/formatted-number.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { keepNotice, notify, notifyFailure } from '../../ui/notify.ts'
import { useAction } from '../../ui/use-action.ts'
import { Foreseen } from './Foreseen.tsx'
import { RanNotice } from './RanNotice.tsx'
import { useMacros } from './use-macros.ts'

interface MacroDialogProps {
  /** The conversation in which it runs; null: in the selected ones. */
  conversationId: string | null
  /** The number of selected conversations, if it is known. */
  count: number | undefined
  onMany: (macroId: number) => void
  onClose: () => void
}

/** Asks for a macro, says what it would do, and runs it. Enter takes the first that matches, and then runs it. */
export function MacroDialog({ conversationId, count, onMany, onClose }: MacroDialogProps) {
  const { t } = useTranslation()
  const macros = useMacros()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Macro | null>(null)
  const found = (all: readonly Macro[]) =>
    all.filter(({ name }) => name.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase()))
  return (
    <Dialog onClose={onClose} title={chosen?.name ?? t('macros.title')}>
      {chosen ? (
        <Chosen
          key={chosen.id}
          macro={chosen}
          conversationId={conversationId}
          count={count}
          onMany={onMany}
          onBack={() => setChosen(null)}
          onClose={onClose}
        />
      ) : (
        <Loaded query={macros}>
          {(all) => (
            <Form onSubmit={() => setChosen(found(all)[0] ?? null)}>
              <Stack gap="xs">
                <TextInput
                  label={t('macros.find')}
                  value={typed}
                  onChange={(event) => setTyped(event.currentTarget.value)}
                  autoComplete="off"
                  data-autofocus
                />
                <Stack gap={0} role="group" aria-label={t('macros.title')}>
                  {found(all).map((macro) => (
                    <Button
                      key={macro.id}
                      variant="subtle"
                      color="gray"
                      c="inherit"
                      fw={400}
                      justify="flex-start"
                      onClick={() => setChosen(macro)}
                    >
                      <bdi>{macro.name}</bdi>
                    </Button>
                  ))}
                </Stack>
                {all.length === 0 ? <Text c="dimmed">{t('macros.make')}</Text> : null}
                {all.length > 0 && found(all).length === 0 ? (
                  <Text c="dimmed">{t('macros.none')}</Text>
                ) : null}
              </Stack>
            </Form>
          )}
        </Loaded>
      )}
    </Dialog>
  )
}

interface ChosenProps extends MacroDialogProps {
  macro: Macro
  onBack: () => void
}

function Chosen({ macro, conversationId, count, onMany, onBack, onClose }: ChosenProps) {
  const { t } = useTranslation()
  const numberOf = useFormattedNumber()
  const { api, key } = useAgent()
  const path = `/conversations/${conversationId}/macros/${macro.id}` as const
  const changed = [key('conversation', conversationId ?? ''), key('inbox')]
  const preview = useQuery({
    queryKey: key('conversation', conversationId ?? '', 'macro', String(macro.id)),
    queryFn: async () => (await api.get(path)).data.actions,
    enabled: conversationId !== null,
    gcTime: 0,
  })
  const running = useAction({
    run: () => api.post(path),
    refresh: changed,
    onDone: ({ data }) => {
      const failed = data.actions.filter(({ outcome }) => outcome === 'failed').length
      if (failed > 0) notifyFailure(t('macros.failed', { name: macro.name, count: failed }))
      if (data.actions.some(({ outcome, can_undo }) => outcome === 'done' && can_undo))
        keepNotice(`macro run ${data.id}`, macro.name, (close) => (
          <RanNotice api={api} run={data} refresh={changed} onClose={close} />
        ))
      else if (failed === 0) notify(t('macros.ran', { name: macro.name }))
      onClose()
    },
  })
  const steps = macro.actions.map((action, index) => ({ action, step: preview.data?.[index] }))
  return (
    <Stack>
      <Stack component="ol" gap={4} m={0} pl="lg">
        {steps.map(({ action, step }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: actions have no identity but their place
          <li key={index}>
            {t(`rules.actionTypes.${action.type}`)}
            {step ? <Foreseen step={step} /> : null}
            <Argument action={action} />
          </li>
        ))}
      </Stack>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {t('macros.back')}
        </Button>
        <Button
          data-autofocus
          autoFocus
          loading={running.isPending}
          onClick={() => {
            if (conversationId !== null) return running.mutate()
            onMany(macro.id)
            onClose()
          }}
        >
          {conversationId !== null || count === undefined
            ? t('macros.run')
            : t('macros.runMany', { count, number: numberOf(count) })}
        </Button>
      </Group>
    </Stack>
  )
}

/** The text or the tag of an action, so that nobody says what they have not read. */
function Argument({ action }: { action: Macro['actions'][number] }) {
  const argument = action.text ?? action.tag
  if (typeof argument !== 'string') return null
  return (
    <Text dir="auto" size="secondary" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {argument}
    </Text>
  )
}
