import { useState } from 'react'
import type { TryItem, TryRequest } from '../../../server/contract/control-tries.ts'
import {
  type TryAnswerer,
  type TryKind,
  type TryPace,
  type TryVariant,
  tryVariants,
} from '../../../server/contract/words/sandbox.ts'
import { useUsers } from '../../api/accounts.ts'
import { useStartTry } from '../../api/tries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../shared/form-error.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Select } from '../../ui/select.tsx'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { kindWords, variantWords } from './words.ts'

interface TryDialogProps {
  kind: TryKind
  onClose: () => void
  onStarted: (item: TryItem) => void
}

/** What can be chosen of a try before it begins. */
export function TryDialog({ kind, onClose, onStarted }: TryDialogProps) {
  const { title, lead } = kindWords[kind]
  return (
    <Dialog open onOpenChange={onClose} title={title} lead={lead}>
      <TryForm kind={kind} onClose={onClose} onStarted={onStarted} />
    </Dialog>
  )
}

interface Draft {
  /** Empty: the first who fits. */
  user: string
  variant: TryVariant
  pace: TryPace
  answeredBy: TryAnswerer
}

function requestOf(kind: TryKind, { user, variant, pace, answeredBy }: Draft): TryRequest {
  const mayBePerson = kind === 'sign-in' || kind === 'device'
  return omitUndefined({
    kind,
    pace,
    user: user || undefined,
    variant: kind === 'refused' ? variant : undefined,
    answeredBy: mayBePerson ? answeredBy : undefined,
  })
}

function TryForm({ kind, onClose, onStarted }: TryDialogProps) {
  const start = useStartTry()
  const [draft, setDraft] = useState<Draft>({
    user: '',
    variant: 'redirect-uri',
    pace: 'steps',
    answeredBy: 'sandbox',
  })
  const patch = (part: Partial<Draft>) => setDraft((current) => ({ ...current, ...part }))
  const isAsked = kind === 'sign-in' || kind === 'device'
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate(requestOf(kind, draft), {
          onSuccess: (item) => {
            onClose()
            onStarted(item)
          },
        })
      }}
    >
      <DialogBody>
        <div className="flex flex-col gap-4 pt-1">
          {kind === 'refused' && (
            <Field label="Mistake">
              {(control) => (
                <Select
                  {...control}
                  value={draft.variant}
                  onChange={(variant) => patch({ variant })}
                  options={tryVariants.map((value) => ({ value, label: variantWords[value] }))}
                />
              )}
            </Field>
          )}
          {draft.answeredBy === 'sandbox' && (
            <UserField value={draft.user} onChange={(user) => patch({ user })} />
          )}
          <Segments
            label="Pace"
            value={draft.pace}
            onChange={(pace) => patch({ pace })}
            options={[
              { value: 'steps', label: 'Step by step' },
              { value: 'at-once', label: 'At once' },
            ]}
          />
          {isAsked && (
            <Segments
              label="Who answers"
              value={draft.answeredBy}
              onChange={(answeredBy) => patch({ answeredBy })}
              options={[
                { value: 'sandbox', label: 'The sandbox answers' },
                { value: 'person', label: 'I answer, in a browser' },
              ]}
            />
          )}
        </div>
        <FormError error={start.error} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" icon="play" busy={start.isPending}>
          Start
        </Button>
      </DialogFooter>
    </form>
  )
}

function UserField({ value, onChange }: { value: string; onChange: (user: string) => void }) {
  const users = useUsers().data?.items ?? []
  return (
    <Field label="User">
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={onChange}
          options={[
            { value: '', label: 'The first who fits' },
            ...users.map(({ username }) => ({ value: username, label: username })),
          ]}
        />
      )}
    </Field>
  )
}
