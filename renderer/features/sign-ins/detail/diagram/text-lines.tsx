import type { ReactNode } from 'react'
import { fonts } from './measure.ts'
import type { TextBlock } from './layout.ts'

interface TextLinesProps {
  block: Omit<TextBlock, 'lines'> & { lines: readonly ReactNode[] }
  fill: string
  /** Colour of the rim around letters that may cross a line. */
  rim?: string
  italic?: boolean
}

/** Text of several lines in a drawing. */
export function TextLines({ block, fill, rim, italic = false }: TextLinesProps) {
  const { size, weight, lineHeight, mono } = fonts[block.font]
  return (
    <text
      textAnchor={block.anchor}
      fill={fill}
      fontSize={size}
      fontWeight={weight}
      fontFamily={mono ? 'ui-monospace, monospace' : undefined}
      fontStyle={italic ? 'italic' : undefined}
      stroke={rim}
      strokeWidth={rim === undefined ? undefined : 5}
      strokeLinejoin="round"
      paintOrder="stroke"
    >
      {block.lines.map((line, index) => (
        // Lines are identified by their position only.
        // oxlint-disable-next-line react/no-array-index-key
        <tspan key={index} x={block.x} y={block.y + index * lineHeight + lineHeight * 0.76}>
          {line}
        </tspan>
      ))}
    </text>
  )
}
