import { Anchor, Paper, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { KnowledgeProposalWithSimilar } from '../../api/types.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormButtons } from '../../ui/FormButtons.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { markField } from '../../ui/mark-field.ts'
import { useAction } from '../../ui/use-action.ts'

interface ProposalFormProps {
  id: number
  onClose: () => void
}

/** Reviews a proposed entry: its texts can be changed before it is accepted. */
export function ProposalForm({ id, onClose }: ProposalFormProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const proposal = useQuery({
    queryKey: key('knowledge', 'proposals', 'one', id),
    queryFn: async () => (await api.get(`/knowledge/proposals/${id}`)).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <Dialog onClose={onClose} size="lg" title={t('knowledge.reviewTitle')} closeOnClickOutside={false}>
      <Loaded query={proposal}>{(read) => <Fields proposal={read} onClose={onClose} />}</Loaded>
    </Dialog>
  )
}

interface FieldsProps {
  proposal: KnowledgeProposalWithSimilar
  onClose: () => void
}

function Fields({ proposal, onClose }: FieldsProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const { id, question, answer, questions, version, similar } = proposal
  const form = useForm({ initialValues: { question: question ?? '', answer: answer ?? '', questions } })
  const path = `/knowledge/proposals/${id}` as const
  const accepting = useAction({
    run: async (values: typeof form.values) => {
      const { data } = await api.patch(path, { ...values, version })
      await api.post(`${path}/accept`, { version: data.version })
    },
    refresh: [key('knowledge')],
    done: t('knowledge.added'),
    onDone: onClose,
    onRefused: (error) => markField(form, error),
  })
  const { question: asked, answer: said } = form.values
  return (
    <form onSubmit={form.onSubmit((values) => accepting.mutate(values))} noValidate>
      <Stack>
        <Text c="dimmed" size="secondary">
          {t('knowledge.reviewLead')}
        </Text>
        {similar ? <Similar entry={similar} /> : null}
        <TextInput
          label={t('knowledge.proposedQuestion')}
          maxLength={500}
          data-autofocus
          {...form.getInputProps('question')}
        />
        <Textarea
          label={t('knowledge.proposedAnswer')}
          autosize
          minRows={5}
          maxRows={14}
          maxLength={4000}
          {...form.getInputProps('answer')}
        />
        <TagsInput
          label={t('knowledge.questions')}
          description={t('knowledge.questionsHint')}
          splitChars={[]}
          {...form.getInputProps('questions')}
        />
        <FormButtons
          submit={t('knowledge.accept')}
          isReady={asked.trim() !== '' && said.trim() !== ''}
          isBusy={accepting.isPending}
          onClose={onClose}
        />
      </Stack>
    </form>
  )
}

/** The entry that answers the question already, so that nobody adds a second one. */
function Similar({ entry }: { entry: NonNullable<KnowledgeProposalWithSimilar['similar']> }) {
  const { t } = useTranslation()
  const { id: agentId } = useAgent()
  const { document_id, title, text } = entry
  return (
    <Paper p="sm" bg="var(--parley-amber-ground)">
      <Stack gap={4}>
        <Text fw={600}>{t('knowledge.similar')}</Text>
        <Anchor
          renderRoot={(props) => (
            <Link
              to="/agents/$agentId/knowledge/$documentId"
              params={{ agentId: String(agentId), documentId: String(document_id) }}
              {...props}
            />
          )}
        >
          <bdi>{title}</bdi>
        </Anchor>
        <Text size="secondary" className="foreign" lineClamp={4} style={{ whiteSpace: 'pre-wrap' }}>
          {text}
        </Text>
      </Stack>
    </Paper>
  )
}
