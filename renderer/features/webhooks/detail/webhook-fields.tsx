import { useUsers } from '../../../api/accounts.ts'
import { Field, TextField, TextInput } from '../../../ui/field.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Select, SelectField } from '../../../ui/select.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { WatchedField } from './watched-field.tsx'
import type { WebhookForm } from '../model/webhook-form.ts'
import { words } from '../words.ts'

const orders = [
  { value: 'parallel', label: 'In parallel' },
  { value: 'ordered', label: 'In order, one at a time' },
  { value: 'shuffled', label: 'Shuffled' },
] as const

const orderHints: Record<WebhookForm['order'], string> = {
  parallel: 'Up to four at a time; they start in order.',
  ordered: 'One failing delivery blocks the rest.',
  shuffled: 'For testing a receiver that must not rely on order.',
}

/** Fields that show their own errors, see FormError. */
export const webhookFieldPaths = ['name', 'owner', 'url', 'job', 'watched', 'secret', 'actsAs']

export interface WebhookFieldsProps {
  form: WebhookForm
  onChange: (part: Partial<WebhookForm>) => void
  /** First issue of the field at this path. */
  issue: (path: string) => string | undefined
  /** The owner cannot be changed. */
  ownerFixed: boolean
}

export function WebhookFields(props: WebhookFieldsProps) {
  const { form, onChange, issue } = props
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Name"
          hint="Only shown in the sandbox"
          error={issue('name')}
          value={form.name}
          placeholder="retrain"
          onChange={(name) => onChange({ name })}
        />
        <OwnerField {...props} />
      </div>
      <Segments
        label="Action"
        value={form.target}
        onChange={(target) => onChange({ target })}
        options={[
          { value: 'url', label: 'Send a request' },
          { value: 'job', label: 'Start a job' },
        ]}
      />
      {form.target === 'url' ? <AddressField {...props} /> : <JobFields {...props} />}
      <WatchedField form={form} error={issue('watched')} onChange={onChange} />
      <fieldset className="flex flex-col gap-1.5">
        <legend className="pb-1 text-xs font-medium">Events</legend>
        <Checkbox checked={form.repo} onChange={(repo) => onChange({ repo })}>
          Repos: content, settings, moves
        </Checkbox>
        <Checkbox checked={form.discussion} onChange={(discussion) => onChange({ discussion })}>
          Discussions, pull requests and comments
        </Checkbox>
      </fieldset>
      <TextField
        label="Secret"
        hint="Sent as X-Webhook-Secret; ASCII only"
        error={issue('secret')}
        className="font-mono text-xs!"
        value={form.secret}
        onChange={(secret) => onChange({ secret })}
      />
      <SelectField
        label="Order"
        hint={orderHints[form.order]}
        value={form.order}
        onChange={(order) => onChange({ order })}
        options={orders}
      />
      <ActsAsField {...props} />
      <Checkbox
        checked={form.acceptSelfSigned}
        onChange={(acceptSelfSigned) => onChange({ acceptSelfSigned })}
      >
        Accept self-signed certificates
      </Checkbox>
    </>
  )
}

function OwnerField({ form, onChange, issue, ownerFixed }: WebhookFieldsProps) {
  const users = useUsers().data?.items ?? []
  return (
    <Field label="Owner" error={issue('owner')}>
      {(control) =>
        ownerFixed ? (
          <TextInput {...control} value={form.user} disabled />
        ) : (
          <Select
            {...control}
            value={form.user}
            onChange={(user) => onChange({ user })}
            options={users.map(({ username }) => ({ value: username, label: username }))}
          />
        )
      }
    </Field>
  )
}

function ActsAsField({ form, onChange, issue }: WebhookFieldsProps) {
  const users = useUsers().data?.items ?? []
  return (
    <SelectField
      label="Receiver acts as"
      hint={words.actsAsHint}
      error={issue('actsAs')}
      value={form.actsAs}
      onChange={(actsAs) => onChange({ actsAs })}
      options={[
        { value: '', label: 'Not declared' },
        ...users.map(({ username }) => ({ value: username, label: username })),
      ]}
    />
  )
}

function AddressField({ form, onChange, issue }: WebhookFieldsProps) {
  return (
    <TextField
      label="URL"
      error={issue('url')}
      type="url"
      required
      value={form.url}
      placeholder="http://localhost:3000/webhooks/events"
      onChange={(url) => onChange({ url })}
    />
  )
}

function JobFields({ form, onChange, issue }: WebhookFieldsProps) {
  return (
    <>
      <TextField
        label="Image, or space:NAME"
        hint="Run only if the sandbox was started with --run-jobs for this image"
        error={issue('job')}
        required
        value={form.image}
        placeholder="python:3.12"
        onChange={(image) => onChange({ image })}
      />
      <TextField
        label="Command"
        value={form.command}
        placeholder="python retrain.py"
        onChange={(command) => onChange({ command })}
      />
    </>
  )
}
