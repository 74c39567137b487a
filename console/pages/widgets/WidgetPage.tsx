import { Box, NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { Widget } from '../../api/types.ts'
import { AskingButton } from '../../ui/AskingButton.tsx'
import { Back } from '../../ui/Back.tsx'
import { Delete } from '../../ui/Delete.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { SettingsForm } from '../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../ui/use-seeded-form.ts'
import { IdentityFields } from './IdentityFields.tsx'
import { IdentitySecret } from './IdentitySecret.tsx'
import { LookFields } from './LookFields.tsx'
import { MailFields } from './MailFields.tsx'
import { PlaceFields } from './PlaceFields.tsx'
import { Preview } from './Preview.tsx'
import { Snippet } from './Snippet.tsx'
import { TextFields } from './TextFields.tsx'
import { bodyOf, valuesOf } from './widget-values.ts'
import './WidgetPage.css'

/** The page of a widget: the line to paste into a site, its look and its texts, beside the widget itself. */
export function WidgetPage() {
  const { api, key } = useAgent()
  const { widgetId = '' } = useParams({ strict: false })
  const widget = useQuery({
    queryKey: key('widgets', 'one', widgetId),
    queryFn: async () => (await api.get(`/widgets/${widgetId}`)).data,
  })
  return <Loaded query={widget}>{(read) => <OneWidget key={read.id} widget={read} />}</Loaded>
}

function OneWidget({ widget }: { widget: Widget }) {
  const { t, i18n } = useTranslation()
  const { id, api, key } = useAgent()
  const navigate = useNavigate()
  const [secret, setSecret] = useState<string | null>(null)
  const [language, setLanguage] = useState(() => Object.keys(widget.texts)[0] ?? i18n.language)
  const path = `/widgets/${widget.id}` as const
  const { form, save } = useSeededForm(widget, {
    valuesOf,
    bodyOf,
    send: async (body) => (await api.patch(path, body)).data,
  })
  return (
    <Page
      title={widget.name}
      lead={t('widgets.oneLead')}
      actions={
        <>
          <Back to="/agents/$agentId/widgets" label={t('pages.widgets')} />
          <AskingButton
            label={t('widgets.rotate')}
            text={t('widgets.rotateText')}
            run={() => api.post(`${path}/rotate-secret`)}
            onDone={({ data }) => setSecret(data.identity_secret)}
          />
          <Delete
            path={path}
            title={t('rules.removeTitle', { name: widget.name })}
            text={t('widgets.removeText')}
            refresh={[key('widgets')]}
            done={t('rules.removed', { name: widget.name })}
            onDone={() => void navigate({ to: '/agents/$agentId/widgets', params: { agentId: String(id) } })}
          />
        </>
      }
    >
      <div className="widget-page">
        <Stack gap="lg" miw={0}>
          <Snippet widget={widget} />
          <SettingsForm form={form} refresh={[key('widgets')]} save={save}>
            <Section title={t('widgets.place')} lead={t('widgets.placeLead')}>
              <PlaceFields form={form} />
            </Section>
            <Section title={t('widgets.look')}>
              <LookFields form={form} />
            </Section>
            <Section title={t('widgets.texts')} lead={t('widgets.textsLead')}>
              <TextFields form={form} language={language} onLanguage={setLanguage} />
            </Section>
            <Section title={t('widgets.identity')} lead={t('widgets.identityLead')}>
              <IdentityFields form={form} />
            </Section>
            <Section title={t('widgets.uploads')} lead={t('widgets.uploadsLead')}>
              <NativeSelect
                label={t('widgets.uploadsWhich')}
                data={(['off', 'images', 'files'] as const).map((value) => ({
                  value,
                  label: t(`widgets.uploadsKinds.${value}`),
                }))}
                {...form.getInputProps('uploads')}
              />
            </Section>
            <Section title={t('widgets.mail')} lead={t('widgets.mailLead')}>
              <MailFields form={form} />
            </Section>
          </SettingsForm>
        </Stack>
        <Box className="widget-preview">
          <Preview widgetKey={widget.public_key} values={form.values} language={language} />
        </Box>
      </div>
      {secret ? <IdentitySecret secret={secret} onClose={() => setSecret(null)} /> : null}
    </Page>
  )
}
