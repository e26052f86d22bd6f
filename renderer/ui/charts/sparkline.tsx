import { classNames } from '../../lib/class-names.ts'
import { stackParts, totalOf, type Bar } from './chart-layout.ts'
import { partFills } from './chart-parts.tsx'

const height = 24
const barWidth = 3
/** Minimum number of bars; missing ones are empty on the left. */
const leastBars = 24

/** Bars without axes, as high as a line of text. `label` describes them. */
export function Sparkline({
  label,
  bars,
}: {
  label: string
  bars: readonly Pick<Bar, 'key' | 'parts'>[]
}) {
  const highest = Math.max(1, ...bars.map(totalOf))
  const empty = Math.max(0, leastBars - bars.length)
  const width = (empty + bars.length) * barWidth
  return (
    <span title={label} className="inline-block">
      <span className="sr-only">{label}</span>
      <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
        <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} className="stroke-line" />
        {bars.map(({ key, parts }, index) =>
          stackParts(parts, highest, height).map((part) => (
            <rect
              key={`${key} ${part.name}`}
              x={(empty + index) * barWidth}
              y={part.y}
              width={barWidth - 0.75}
              height={part.height}
              className={classNames(partFills[part.tone])}
            />
          )),
        )}
      </svg>
    </span>
  )
}
