import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { Completion } from '../../api/types.ts'
import { joined } from '../../texts/isolated.ts'
import { Form } from '../../ui/Form.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Section } from '../../ui/Section.tsx'
import { relativeTime } from '../../ui/Time.tsx'

interface TryFormProps {
  lead: string
  /** The label of the choice. */
  choose: string
  button: string
  /** Returns those of the recent completions that can be chosen. */
  among?: (recent: readonly Completion[]) => readonly Completion[]
  isBusy: boolean
  onTry: (chosen: Completion) => void
  /** The result, below the form. */
  children: ReactNode
}

/** Tries a rule on a recent question that is chosen. */
export function TryForm({ lead, choose, button, among, isBusy, onTry, children }: TryFormProps) {
  const { t, i18n } = useTranslation()
  const { api, key } = useAgent()
  const [chosen, setChosen] = useState('')
  const recent = useQuery({
    queryKey: key('rules', 'recent'),
    queryFn: async () => (await api.get('/chat/completions', { per_page: 20 })).data,
  })
  return (
    <Section title={t('rules.try')} lead={lead}>
      <Loaded query={recent}>
        {(completions) => {
          const offered = among?.(completions) ?? completions
          if (offered.length === 0) return <Text c="dimmed">{t('rules.nothingRecent')}</Text>
          return (
            <Form
              onSubmit={() => {
                const completion = offered.find(({ id }) => id === chosen) ?? offered[0]
                if (completion) onTry(completion)
              }}
            >
              <Group gap="xs" align="flex-end">
                <NativeSelect
                  label={choose}
                  flex="1 1 240px"
                  value={chosen}
                  onChange={(event) => setChosen(event.currentTarget.value)}
                  data={offered.map(({ id, prompt, created_at }) => ({
                    value: id,
                    label: joined([(prompt ?? '').slice(0, 80), relativeTime(created_at, i18n.language)]),
                  }))}
                />
                <Button type="submit" variant="default" loading={isBusy}>
                  {button}
                </Button>
              </Group>
            </Form>
          )
        }}
      </Loaded>
      {children}
    </Section>
  )
}
