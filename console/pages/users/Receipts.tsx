import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { UserErasure, UserProfile } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { useFormattedNumber } from '../../ui/formatted-number.ts'
import { DownloadIcon, SearchIcon } from '../../ui/icons.tsx'
import { NextPage } from '../../ui/NextPage.tsx'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { userAddress } from '../../ui/user-source.ts'

/**
 * Shows the receipts of what was erased of an end user, and searches what is left of them.
 * @param words what the erasure should have left nowhere; null: nothing was erased on this page
 */
export function Receipts({ user, words }: { user: UserProfile; words: string | null }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const address = userAddress(user)
  const path = `/users/${encodeURIComponent(address)}/erasures` as const
  const erasures = useList(key('users', 'erasures', address), api, path)
  const { items = [] } = erasures.data ?? {}
  if (items.length === 0) return null
  return (
    <Section title={t('users.receipts')} lead={t('users.receiptsLead')}>
      <Rows label={t('users.receipts')}>
        {items.map((erasure) => (
          <Receipt key={erasure.receipt.id} erasure={erasure} />
        ))}
      </Rows>
      <NextPage query={erasures} />
      <SearchAgain key={words} address={address} words={words ?? ''} />
    </Section>
  )
}

function Receipt({ erasure: { subject_key: _, ...signed } }: { erasure: UserErasure }) {
  const { t } = useTranslation()
  const formatted = useFormattedNumber()
  const { id, mode, finished_at, erased } = signed.receipt
  const rows = Object.values(erased.rows).reduce((sum, count) => sum + count, 0)
  return (
    <Row
      title={t(`users.receiptOf.${mode}`)}
      about={
        <>
          <Time at={finished_at} /> · {t('users.receiptRows', { count: rows, formatted: formatted(rows) })}
        </>
      }
      actions={
        <Button
          variant="default"
          component="a"
          leftSection={<DownloadIcon />}
          href={asJson(signed)}
          download={`receipt-${id}.json`}
        >
          {t('users.receiptDownload')}
        </Button>
      }
    />
  )
}

/** Returns an address that holds a receipt as a file of JSON. */
function asJson(receipt: object): string {
  return `data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`
}

/** Searches the messages and notes of an end user anew. */
function SearchAgain({ address, words }: { address: string; words: string }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const [typed, setTyped] = useState(words)
  const [q] = useDebouncedValue(typed.trim(), 300)
  const found = useQuery({
    queryKey: key('search', 'again', address, q),
    queryFn: async ({ signal }) => {
      const search = (kind: 'messages' | 'notes') =>
        api.get('/search', { q, in: kind, user_id: address, per_page: 1 }, signal)
      const [messages, notes] = await Promise.all([search('messages'), search('notes')])
      return messages.total + notes.total
    },
    enabled: q !== '',
    gcTime: 0,
  })
  return (
    <Stack gap={4}>
      <TextInput
        label={t('users.searchAgain')}
        description={t('users.searchAgainHint')}
        leftSection={<SearchIcon />}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Text role="status" size="secondary" mih="1lh">
        {q === '' || found.data === undefined
          ? ''
          : found.data === 0
            ? t('users.foundNothing')
            : t('users.foundStill', { count: found.data })}
      </Text>
    </Stack>
  )
}
