import type { FlowActor } from '../../../../../server/contract/words/sandbox-words.ts'
import { headHeight, type Drawing } from './layout.ts'
import type { Palette } from './palette.ts'

/** On a grid of 16. */
const signs: Record<FlowActor, string> = {
  browser: 'M2 3h12v10H2zM2 6h12M4 4.5h.01M6 4.5h.01',
  app: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  device: 'M2.5 3h11v8h-11zM5.5 13.5h5',
  hub: 'M8 2l5.5 3v6L8 14l-5.5-3V5zM2.5 5L8 8l5.5-3M8 8v6',
}

/** Actors above their lines. */
export function LaneHeads({ drawing, palette }: { drawing: Drawing; palette: Palette }) {
  const boxTop = 9
  const boxHeight = headHeight - 20
  return drawing.lanes.map(({ actor, name, x, width }) => (
    <g key={actor}>
      <path
        d={`M${x} ${boxTop + boxHeight}V${headHeight}`}
        stroke={palette.lane}
        strokeOpacity={0.55}
      />
      <rect
        x={x - width / 2}
        y={boxTop}
        width={width}
        height={boxHeight}
        rx={8}
        fill={actor === 'hub' ? palette.accentSoft : palette.ground}
        stroke={actor === 'hub' ? palette.accent : palette.lane}
      />
      <path
        d={signs[actor]}
        transform={`translate(${x - width / 2 + 9} ${boxTop + boxHeight / 2 - 7}) scale(0.875)`}
        fill="none"
        stroke={actor === 'hub' ? palette.accent : palette.muted}
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <text
        x={x + 10}
        y={boxTop + boxHeight / 2 + 4.5}
        textAnchor="middle"
        fontSize={13}
        fontWeight={600}
        fill={palette.ink}
      >
        {name}
      </text>
    </g>
  ))
}
