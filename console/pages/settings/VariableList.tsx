import { Code, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'

/** The variables of an agent's texts, as they are written. */
const VARIABLES = [
  ['now', 'now'],
  ['date', 'date'],
  ['channel', 'channel'],
  ['language', 'language'],
  ['userName', 'user.name'],
  ['userAttribute', 'user.plan'],
] as const

/** Lists the variables that instructions, rules and messages can contain. */
export function VariableList() {
  const { t } = useTranslation()
  return (
    <Section title={t('settings.agent.variables')} lead={t('settings.agent.variablesLead')}>
      <Table>
        <Table.Tbody>
          {VARIABLES.map(([name, written]) => (
            <Table.Tr key={name}>
              <Table.Th fw={400}>
                <Code>{`{{${written}}}`}</Code>
              </Table.Th>
              <Table.Td>{t(`settings.agent.variableNames.${name}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}
