import { useState } from 'react'
import type { AddFaultRequest } from '../../../../server/contract/control-faults.ts'
import { ApiError } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { prettyJson } from '../../../lib/pretty-json.ts'
import { EffectFields } from './effect-fields.tsx'
import { MatchFields } from './fault-fields.tsx'
import { FaultPreview } from './fault-preview.tsx'
import { useAddFault } from '../model/requests.ts'
import { firstRule, presetGroups } from '../model/presets.ts'
import { parseRule } from '../model/rule-draft.ts'
import { words } from '../words.ts'

const textOf = (rule: AddFaultRequest) => JSON.stringify(rule, null, 2)

/** Edits a rule as form fields or as JSON. */
export function AddFaultDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState(() => textOf(firstRule))
  const [view, setView] = useState<'form' | 'json'>('form')
  const add = useAddFault()
  const rule = parseRule(text)
  const { error } = prettyJson(text)
  const setRule = (next: AddFaultRequest) => setText(textOf(next))
  const issue = (path: string) =>
    add.error instanceof ApiError ? add.error.issue(path) : undefined
  const fields = rule && { rule, onRule: setRule, issue }
  return (
    <FormDialog
      title={words.addFault}
      lead="Which requests or deliveries to match, what to change, and how often."
      wide
      action={words.addFault}
      busy={add.isPending}
      disabled={rule === undefined}
      onSubmit={() => add.mutate(JSON.parse(text) as AddFaultRequest, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Presets onChoose={setRule} />
      <Segments
        label="View"
        value={view}
        onChange={setView}
        options={[
          { value: 'form', label: 'Form' },
          { value: 'json', label: 'JSON' },
        ]}
      />
      {view === 'form' && fields ? (
        <>
          <MatchFields {...fields} />
          <FaultPreview match={fields.rule.match} />
          <EffectFields {...fields} />
        </>
      ) : (
        <TextAreaField
          label="Rule"
          error={error ?? (rule ? undefined : 'A rule needs a match, e.g. {"match": {}}.')}
          rows={12}
          value={text}
          onChange={setText}
        />
      )}
      {view === 'json' && rule && <FaultPreview match={rule.match} />}
      <FormError error={add.error} />
    </FormDialog>
  )
}

function Presets({ onChoose }: { onChoose: (rule: AddFaultRequest) => void }) {
  return (
    <div className="grid gap-x-4 gap-y-2 sm:grid-cols-[auto_1fr]">
      {presetGroups.map(({ title, presets }) => (
        <div key={title} className="contents">
          <p className="eyebrow self-center">{title}</p>
          <div className="flex flex-wrap gap-1.5">
            {presets.map((preset) => (
              <Button key={preset.title} size="small" onClick={() => onChoose(preset.rule)}>
                {preset.title}
              </Button>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}
