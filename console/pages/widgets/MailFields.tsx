import { Anchor, NativeSelect, NumberInput, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useChannels } from '../../api/channels.ts'
import { useAgent } from '../../api/session.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import type { WidgetValues } from './widget-values.ts'

/** The fields for answers by mail: the mailbox, and how long an answer waits to be seen before it is mailed. */
export function MailFields({ form }: { form: UseFormReturnType<WidgetValues> }) {
  const { t } = useTranslation()
  const { id } = useAgent()
  const mailboxes = useChannels()
  return (
    <Loaded query={mailboxes}>
      {(channels) => {
        const choices = channels
          .filter(({ kind }) => kind === 'email')
          .map(({ id, name, settings }) => ({
            value: String(id),
            label: [name, settings.address].filter(Boolean).join(' · '),
          }))
        if (choices.length === 0)
          return (
            <Text c="dimmed">
              {t('widgets.noMailbox')}{' '}
              <Anchor
                underline="always"
                renderRoot={(props) => (
                  <Link to="/agents/$agentId/channels" params={{ agentId: String(id) }} {...props} />
                )}
              >
                {t('pages.channels')}
              </Anchor>
            </Text>
          )
        return (
          <>
            <NativeSelect
              label={t('widgets.mailbox')}
              description={t('widgets.mailboxHint')}
              data={[{ value: '', label: t('widgets.noMail') }, ...choices]}
              {...form.getInputProps('continue_by')}
            />
            {form.values.continue_by === '' ? null : (
              <NumberInput
                label={t('widgets.mailAfter')}
                min={1}
                max={1440}
                allowDecimal={false}
                {...form.getInputProps('continue_after')}
              />
            )}
          </>
        )
      }}
    </Loaded>
  )
}
