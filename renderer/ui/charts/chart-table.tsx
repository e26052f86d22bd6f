import { formatCount } from '../../lib/format.ts'
import type { Bar, Mark } from './chart-layout.ts'

interface ChartTableProps {
  label: string
  unit: string
  bars: readonly Bar[]
  marks: readonly Mark[]
}

/** The figures of a chart as a table, for screen readers. */
export function ChartTable({ label, unit, bars, marks }: ChartTableProps) {
  const names = bars[0]?.parts.map(({ name }) => name) ?? []
  return (
    <div className="sr-only">
      <table>
        <caption>
          {label}
          {marks.map((mark) => `, ${mark.label}`)}
        </caption>
        <thead>
          <tr>
            <th scope="col">{unit}</th>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ key, title, parts }) => (
            <tr key={key}>
              <th scope="row">{title}</th>
              {parts.map(({ name, value }) => (
                <td key={name}>{formatCount(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
