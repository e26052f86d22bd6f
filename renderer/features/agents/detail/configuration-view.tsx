import { useState } from 'react'
import { Code } from '../../../ui/code.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { Segments } from '../../../ui/segments.tsx'
import type { Configuration } from '../model/configurations.ts'
import { words } from '../words.ts'

/** The configuration of a program that the user chooses. */
export function ConfigurationView({
  label,
  configurations,
}: {
  label: string
  configurations: readonly Configuration[]
}) {
  const [chosen, setChosen] = useState(configurations[0]?.id ?? '')
  const configuration = configurations.find(({ id }) => id === chosen)
  if (configuration === undefined) return null
  const { name, file, text, json = false } = configuration
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-start gap-2">
        <Segments
          label={label}
          value={chosen}
          onChange={setChosen}
          options={configurations.map((one) => ({ value: one.id, label: one.name }))}
        />
        <span className="ml-auto">
          <CopyButton text={text} what={words.configurationOf(name)}>
            {words.copy}
          </CopyButton>
        </span>
      </div>
      {file && <p className="font-mono text-xs text-muted">{file}</p>}
      <Code label={words.configurationOf(name)} text={text} json={json} />
    </div>
  )
}
