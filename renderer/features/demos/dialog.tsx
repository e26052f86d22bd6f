import type { DemoItem, DemoRequest } from '../../../server/contract/control-demos.ts'
import type { Decision } from '../../../server/contract/words/oauth-words.ts'
import {
  type DemoKind,
  type DemoPace,
  type DemoVariant,
  demoVariants,
} from '../../../server/contract/words/sandbox-words.ts'
import { useUsers } from '../../api/accounts.ts'
import { useApps } from '../../api/apps.ts'
import { useStartDemo } from '../../api/demos.ts'
import { TextField } from '../../ui/field.tsx'
import { FormError } from '../../shared/form-error.tsx'
import { useForm } from '../../shared/use-form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Segments } from '../../ui/segments.tsx'
import { SelectField } from '../../ui/select.tsx'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { kindWords, variantWords } from './words.ts'
import { words } from './words.ts'

interface DemoDialogProps {
  kind: DemoKind
  onClose: () => void
  onStarted: (item: DemoItem) => void
}

/** Decision of the sandbox for the user, or a person's. */
type Approval = Decision | 'person'

interface Draft {
  /** Empty: the first matching user. */
  user: string
  /** Client id; empty: the first matching app. */
  app: string
  /** Empty: the usual ones. */
  scope: string
  variant: DemoVariant
  pace: DemoPace
  approval: Approval
}

const firstDraft: Draft = {
  user: '',
  app: '',
  scope: '',
  variant: 'redirect-uri',
  pace: 'steps',
  approval: 'approve',
}

/** Kinds of demos in which a person may decide. */
const personKinds: ReadonlySet<DemoKind> = new Set(['sign-in', 'device'])
/** Kinds of demos with a decision of the user. */
const decidedKinds: ReadonlySet<DemoKind> = new Set([...personKinds, 'step-up'])
/** Kinds of demos whose scopes are part of their script. */
const fixedScopes: ReadonlySet<DemoKind> = new Set(['exchange', 'refused'])

function requestOf(kind: DemoKind, draft: Draft): DemoRequest {
  const { user, app, scope, variant, pace, approval } = draft
  const isDecided = decidedKinds.has(kind)
  return omitUndefined({
    kind,
    pace,
    app: app || undefined,
    user: approval === 'person' ? undefined : user || undefined,
    scope: scope.trim() || undefined,
    variant: kind === 'refused' ? variant : undefined,
    answeredBy: personKinds.has(kind) && approval === 'person' ? ('person' as const) : undefined,
    decision: isDecided && approval === 'deny' ? ('deny' as const) : undefined,
  })
}

/** Options of a demo before it starts. */
export function DemoDialog({ kind, onClose, onStarted }: DemoDialogProps) {
  const start = useStartDemo()
  const { form: draft, patch } = useForm(() => firstDraft, start.error)
  const { title, lead } = kindWords[kind]
  return (
    <FormDialog
      title={title}
      lead={lead}
      action="Start"
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
        <SelectField
          label="Mistake"
          value={draft.variant}
          onChange={(variant) => patch({ variant })}
          options={demoVariants.map((value) => ({ value, label: variantWords[value] }))}
        />
      )}
      <AppField value={draft.app} onChange={(app) => patch({ app })} />
      {draft.approval !== 'person' && (
        <UserField value={draft.user} onChange={(user) => patch({ user })} />
      )}
      {!fixedScopes.has(kind) && (
        <TextField
          label="Scopes"
          hint={words.scopesHint}
          value={draft.scope}
          onChange={(scope) => patch({ scope })}
        />
      )}
      <Segments
        label="Pace"
        value={draft.pace}
        onChange={(pace) => patch({ pace })}
        options={[
          { value: 'steps', label: 'Step through' },
          { value: 'at-once', label: 'Run all' },
        ]}
      />
      {decidedKinds.has(kind) && (
        <Segments<Approval>
          label="Approval"
          value={draft.approval}
          onChange={(approval) => patch({ approval })}
          options={[
            { value: 'approve', label: 'Approve automatically' },
            { value: 'deny', label: 'Deny automatically' },
            ...(personKinds.has(kind)
              ? [{ value: 'person' as const, label: "I'll approve in a browser" }]
              : []),
          ]}
        />
      )}
      <FormError error={start.error} />
    </FormDialog>
  )
}

function UserField({ value, onChange }: ChoiceProps) {
  const users = useUsers().data?.items ?? []
  return (
    <ChoiceField
      value={value}
      onChange={onChange}
      label="User"
      first="First matching user"
      options={users.map(({ username }) => ({ value: username, label: username }))}
    />
  )
}

function AppField({ value, onChange }: ChoiceProps) {
  const apps = useApps().data?.items ?? []
  return (
    <ChoiceField
      value={value}
      onChange={onChange}
      label="App"
      first="First matching app"
      options={apps.map(({ clientId, name }) => ({ value: clientId, label: name }))}
    />
  )
}

interface ChoiceProps {
  /** Empty: the sandbox chooses. */
  value: string
  onChange: (value: string) => void
}

interface ChoiceFieldProps extends ChoiceProps {
  label: string
  /** Label of the empty value. */
  first: string
  options: readonly { value: string; label: string }[]
}

function ChoiceField({ label, first, options, ...choice }: ChoiceFieldProps) {
  return (
    <SelectField label={label} {...choice} options={[{ value: '', label: first }, ...options]} />
  )
}
