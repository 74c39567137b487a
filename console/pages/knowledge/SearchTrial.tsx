import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { safeUrl } from '../../../browser/read-markdown.ts'
import { useAgent } from '../../api/session.ts'
import type { FoundPassage } from '../../api/types.ts'
import { Form } from '../../ui/Form.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'

/** Shows the passages that the agent would find for a question, and how well each fits. */
export function SearchTrial() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const found = useQuery({
    queryKey: key('knowledge', 'search', asked),
    queryFn: () => api.get('/knowledge/search', { q: asked }),
    enabled: asked !== '',
  })
  return (
    <Section title={t('knowledge.try')} lead={t('knowledge.tryLead')}>
      <Form onSubmit={() => setAsked(typed.trim())}>
        <Group gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            aria-label={t('knowledge.question')}
            placeholder={t('knowledge.question')}
            maxLength={4000}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" leftSection={<SearchIcon />} disabled={!typed.trim()}>
            {t('knowledge.search')}
          </Button>
        </Group>
      </Form>
      {asked === '' ? null : (
        <Loaded query={found}>
          {({ data: passages, verdict, threshold }) =>
            passages.length === 0 ? (
              <Text role="status">{t('knowledge.nothingFound')}</Text>
            ) : (
              <Stack gap="xs">
                <Text role="status" c="dimmed" size="secondary">
                  {t(`knowledge.verdicts.${verdict}`, { threshold: threshold.toFixed(2) })}
                </Text>
                <Rows label={t('knowledge.found')}>
                  {passages.map((passage, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: passages have no identity but their rank
                    <FoundRow key={index} passage={passage} />
                  ))}
                </Rows>
              </Stack>
            )
          }
        </Loaded>
      )}
    </Section>
  )
}

function FoundRow({ passage }: { passage: FoundPassage }) {
  const { t, i18n } = useTranslation()
  const { title, heading, snippet, score, coverage, confidence, url } = passage
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(coverage)
  const address = url === null ? null : safeUrl(url)
  return (
    <Row
      title={heading && heading !== title ? `${title} › ${heading}` : title}
      marks={
        <>
          <Mark tone="grey">{t('knowledge.fits', { percent, score: score.toFixed(2) })}</Mark>
          <Mark tone="grey">{t('knowledge.confidence', { confidence: confidence.toFixed(2) })}</Mark>
        </>
      }
      about={
        <Stack gap={4}>
          <span>{snippet}</span>
          {address ? (
            <Anchor href={address} target="_blank" rel="noreferrer noopener" size="secondary">
              {address}
            </Anchor>
          ) : null}
        </Stack>
      }
    />
  )
}
