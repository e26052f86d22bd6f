import type { DrawnStep } from './layout.ts'
import type { Palette } from './palette.ts'

/** Least width, so that the ruler is not full after the first poll. */
const leastPolls = 6

/** Polls of a device as ticks, spaced by time. */
export function PollRuler({ drawn, palette }: { drawn: DrawnStep; palette: Palette }) {
  const { step, lineY: y } = drawn
  const { polls } = step
  if (polls === undefined) return null
  const left = Math.min(drawn.from, drawn.to) + 10
  const right = Math.max(drawn.from, drawn.to) - 10
  const first = polls.list[0]?.sinceMs ?? step.sinceMs
  const last = polls.list.at(-1)?.sinceMs ?? first
  const ahead = step.outcome === 'pending' ? leastPolls * polls.intervalSeconds * 1000 : 1
  const span = Math.max(last - first, ahead)
  return (
    <g>
      <rect
        x={left - 6}
        y={y}
        width={right - left + 12}
        height={14}
        rx={7}
        fill={palette.accentSoft}
      />
      {polls.list.map(({ requestId, sinceMs, answer }) => {
        const x = left + ((sinceMs - first) / span) * (right - left)
        const look = tickLook(answer, palette)
        return (
          <path
            key={requestId}
            d={`M${x.toFixed(1)} ${y + 7 - look.reach}v${2 * look.reach}`}
            stroke={look.color}
            strokeWidth={2}
            strokeLinecap="round"
          />
        )
      })}
    </g>
  )
}

/** A poll that is too fast also has a taller tick. */
function tickLook(answer: string, palette: Palette) {
  if (answer === 'authorization_pending') return { color: palette.accent, reach: 3.5 }
  if (answer === 'slow_down') return { color: palette.warn, reach: 8 }
  const failed = /denied|expired|invalid|error/u.test(answer)
  return { color: failed ? palette.bad : palette.ok, reach: 6 }
}
