import type { FlowDetail } from '../../../../../server/contract/control-flows.ts'
import { plainText } from '../../model/plain-text.ts'
import { resultOf } from '../../../../../server/contract/flow-result.ts'
import { lookOf } from '../../../../shared/flow-looks.ts'
import { namesOf, describeStep } from '../../model/describe-step.ts'
import { LaneHeads } from './lane-heads.tsx'
import { gutter, headHeight, layOut } from './layout.ts'
import { shortenTo, type Measure } from './measure.ts'
import { paperPalette } from './palette.ts'
import { LaneLines, StepShape } from './step-shape.tsx'
import { kindTitles, words as sharedWords } from '../../../../shared/words.ts'

/** Width of a page or slide. */
const paperWidth = 960
const titleHeight = 46

interface PrintedDrawingProps {
  flow: FlowDetail
  measure: Measure
}

/** Whole flow as a self-contained drawing, without style sheet, script or URL. */
export function PrintedDrawing({ flow, measure }: PrintedDrawingProps) {
  const drawing = layOut(flow, paperWidth, measure)
  const nameOf = namesOf(flow)
  const height = titleHeight + headHeight + drawing.height + 12
  const parties = [flow.app?.name, flow.user?.username].filter((name) => name !== undefined)
  const title = plainText([kindTitles[flow.kind], ...parties].join(' · '))
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={paperWidth}
      height={height}
      viewBox={`0 0 ${paperWidth} ${height}`}
      fontFamily="system-ui, 'Segoe UI', 'Noto Sans', sans-serif"
    >
      <title>{title}</title>
      <desc>{flow.steps.map((step) => describeStep(step, nameOf)).join('\n')}</desc>
      <rect width={paperWidth} height={height} fill={paperPalette.ground} />
      <text x={gutter} y={30} fontSize={17} fontWeight={650} fill={paperPalette.ink}>
        {shortenTo(title, (text) => measure(text, 'label') * 1.35 < paperWidth - gutter - 120)}
      </text>
      <text
        x={paperWidth - 16}
        y={30}
        textAnchor="end"
        fontSize={13}
        fill={resultOf(flow) === 'refused' ? paperPalette.bad : paperPalette.muted}
      >
        {[lookOf(flow).word, flow.changed && sharedWords.changedByFault].filter(Boolean).join(', ')}
      </text>
      <g transform={`translate(0 ${titleHeight})`}>
        <LaneHeads drawing={drawing} palette={paperPalette} />
      </g>
      <g transform={`translate(0 ${titleHeight + headHeight})`}>
        <LaneLines drawing={drawing} palette={paperPalette} />
        {drawing.steps.map((drawn) => (
          <g key={drawn.step.id} transform={`translate(0 ${drawn.top})`}>
            <StepShape drawn={drawn} palette={paperPalette} width={drawing.width} isStill />
          </g>
        ))}
      </g>
    </svg>
  )
}
