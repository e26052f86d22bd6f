import type { DemoItem, DemoRequest } from '../../../server/contract/control-demos.ts'
import {
  type DemoAnswerer,
  type DemoKind,
  type DemoPace,
  type DemoVariant,
  demoVariants,
} from '../../../server/contract/words/sandbox.ts'
import { useUsers } from '../../api/accounts.ts'
import { useStartDemo } from '../../api/demos.ts'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../shared/form-error.tsx'
import { useForm } from '../../shared/use-form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Select } from '../../ui/select.tsx'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { kindWords, variantWords } from './words.ts'
import { words } from './words.ts'

interface DemoDialogProps {
  kind: DemoKind
  onClose: () => void
  onStarted: (item: DemoItem) => void
}

interface Draft {
  /** Empty: the first matching user. */
  user: string
  variant: DemoVariant
  pace: DemoPace
  answeredBy: DemoAnswerer
}

const firstDraft: Draft = {
  user: '',
  variant: 'redirect-uri',
  pace: 'steps',
  answeredBy: 'sandbox',
}

function requestOf(kind: DemoKind, { user, variant, pace, answeredBy }: Draft): DemoRequest {
  const mayBePerson = kind === 'sign-in' || kind === 'device'
  return omitUndefined({
    kind,
    pace,
    user: user || undefined,
    variant: kind === 'refused' ? variant : undefined,
    answeredBy: mayBePerson ? answeredBy : undefined,
  })
}

/** Options of a demo before it starts. */
export function DemoDialog({ kind, onClose, onStarted }: DemoDialogProps) {
  const start = useStartDemo()
  const { form: draft, patch } = useForm(() => firstDraft, start.error)
  const { title, lead } = kindWords[kind]
  const isAsked = kind === 'sign-in' || kind === 'device'
  return (
    <FormDialog
      title={title}
      lead={lead}
      action={words.start}
      icon="play"
      busy={start.isPending}
      onSubmit={() =>
        start.mutate(requestOf(kind, draft), {
          onSuccess: (item) => {
            onClose()
            onStarted(item)
          },
        })
      }
      onClose={onClose}
    >
      {kind === 'refused' && (
        <Field label={words.mistake}>
          {(control) => (
            <Select
              {...control}
              value={draft.variant}
              onChange={(variant) => patch({ variant })}
              options={demoVariants.map((value) => ({ value, label: variantWords[value] }))}
            />
          )}
        </Field>
      )}
      {draft.answeredBy === 'sandbox' && (
        <UserField value={draft.user} onChange={(user) => patch({ user })} />
      )}
      <Segments
        label={words.pace}
        value={draft.pace}
        onChange={(pace) => patch({ pace })}
        options={[
          { value: 'steps', label: words.stepThrough },
          { value: 'at-once', label: words.runAll },
        ]}
      />
      {isAsked && (
        <Segments
          label={words.approval}
          value={draft.answeredBy}
          onChange={(answeredBy) => patch({ answeredBy })}
          options={[
            { value: 'sandbox', label: words.approveAutomatically },
            { value: 'person', label: words.approveInBrowser },
          ]}
        />
      )}
      <FormError error={start.error} />
    </FormDialog>
  )
}

function UserField({ value, onChange }: { value: string; onChange: (user: string) => void }) {
  const users = useUsers().data?.items ?? []
  return (
    <Field label={words.user}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={onChange}
          options={[
            { value: '', label: words.firstMatchingUser },
            ...users.map(({ username }) => ({ value: username, label: username })),
          ]}
        />
      )}
    </Field>
  )
}
