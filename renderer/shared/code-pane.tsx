import { useState } from 'react'
import { Code } from '../ui/code.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Segments } from '../ui/segments.tsx'

export interface CodeExample {
  /** Language or program: `curl`. */
  label: string
  render: () => string
}

interface CodePaneProps {
  /** Names the code to a screen reader. */
  label: string
  examples: readonly CodeExample[]
  /** What the code lacks. */
  note?: string | undefined
}

/** Code in one of several languages, to copy. */
export function CodePane({ label, examples, note }: CodePaneProps) {
  const [chosen, setChosen] = useState<string>()
  const example = examples.find((one) => one.label === chosen) ?? examples[0]
  if (example === undefined) return <p className="p-4 text-sm text-muted">{note}</p>
  const text = example.render()
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segments
          label="Language"
          value={example.label}
          onChange={setChosen}
          options={examples.map((one) => ({ value: one.label, label: one.label }))}
        />
        <CopyButton text={text} what="code" />
      </div>
      <Code label={label} text={text} wrap={false} />
      {note !== undefined && <p className="text-xs text-muted">{note}</p>}
    </div>
  )
}
