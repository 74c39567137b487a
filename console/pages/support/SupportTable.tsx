import { Button, Table } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SupportAnalytics } from '../../api/types.ts'
import { FigureLink } from './FigureLink.tsx'
import { columns, countOf, numberOf, type Plotted } from './figures.ts'
import { useFigureName } from './use-figure-name.ts'
import { useFormats } from './use-formats.ts'
import { useLinks } from './use-links.ts'
import { useValueName } from './use-value-name.ts'
import './SupportTable.css'

/** The rows that are shown at first, of days the latest: a year of days is more than anybody reads. */
const FIRST = 31

interface SupportTableProps {
  read: SupportAnalytics
  /** The plotted figure, which has a column as well. */
  plot: Plotted
}

/** The figures of each value, days in the order of the plot; each leads to its conversations. */
export function SupportTable({ read, plot }: SupportTableProps) {
  const { rows, by } = read
  const linkTo = useLinks(read)
  const { t } = useTranslation()
  const formats = useFormats()
  const valueName = useValueName()
  const [isWhole, setWhole] = useState(false)
  const shown = columns.includes(plot) ? columns : [...columns, plot]
  const figureName = useFigureName(read)
  const listed = isWhole ? rows : by === 'day' ? rows.slice(-FIRST) : rows.slice(0, FIRST)
  return (
    <>
      {listed.length < rows.length ? (
        <Button variant="default" onClick={() => setWhole(true)} style={{ alignSelf: 'flex-start' }}>
          {t('support.showAll', { number: rows.length })}
        </Button>
      ) : null}
      <Table.ScrollContainer minWidth={900} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table stickyHeader className="support-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th className="support-value">{t(`support.by.${by}`)}</Table.Th>
              {shown.map((figure) => (
                <Table.Th key={figure} ta="right">
                  {figureName(figure)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {listed.map((row) => {
              const name = valueName(by, row.value, row.name)
              return (
                <Table.Tr key={row.value}>
                  <Table.Th scope="row" fw={400} className="support-value foreign">
                    {name}
                  </Table.Th>
                  {shown.map((figure) => {
                    const counted = countOf(figure)
                    const value = formats.of(figure)(numberOf(row, figure))
                    return (
                      <Table.Td
                        key={figure}
                        ta="right"
                        className="numbers"
                        {...(numberOf(row, figure) ? {} : { c: 'dimmed' })}
                      >
                        <FigureLink
                          to={counted && row[counted] > 0 ? linkTo(counted, row.value) : null}
                          label={t('support.open', {
                            figure: `${name}, ${figureName(figure)}`,
                            value,
                          })}
                        >
                          {value}
                        </FigureLink>
                      </Table.Td>
                    )
                  })}
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}
