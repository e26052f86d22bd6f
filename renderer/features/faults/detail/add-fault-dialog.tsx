import { useState } from 'react'
import type { AddFaultRequest } from '../../../../server/contract/control-faults.ts'
import { ApiError } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { Field, TextArea } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { prettyJson } from '../../../lib/pretty-json.ts'
import { EffectFields } from './effect-fields.tsx'
import { MatchFields } from './fault-fields.tsx'
import { FaultPreview } from './fault-preview.tsx'
import { useAddFault } from '../model/requests.ts'
import { firstRule, presetGroups } from '../model/presets.ts'
import { parseRule } from '../model/rule-draft.ts'

const textOf = (rule: AddFaultRequest) => JSON.stringify(rule, null, 2)

/** A rule by its fields or as JSON: both are the same rule. */
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
    <Dialog
      open
      onOpenChange={onClose}
      title="Add a fault"
      lead="What goes wrong, with which answers, and how often."
      wide
    >
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate(JSON.parse(text) as AddFaultRequest, { onSuccess: onClose })
        }}
      >
        <DialogBody>
          <div className="flex flex-col gap-4 pt-1">
            <Presets onChoose={setRule} />
            <Segments
              label="Shown as"
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
              <Field
                label="Rule"
                error={error ?? (rule ? undefined : 'A rule has a match, such as {"match": {}}.')}
              >
                {(control) => (
                  <TextArea
                    {...control}
                    rows={12}
                    value={text}
                    onChange={(event) => setText(event.target.value)}
                  />
                )}
              </Field>
            )}
            {view === 'json' && rule && <FaultPreview match={rule.match} />}
            <FormError error={add.error} />
          </div>
        </DialogBody>
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={add.isPending} disabled={rule === undefined}>
            Add it
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
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
