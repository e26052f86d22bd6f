import { useUsers } from '../../../api/accounts.ts'
import { Field, TextField, TextInput } from '../../../ui/field.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Select } from '../../../ui/select.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { WatchedField } from './watched-field.tsx'
import type { WebhookForm } from '../model/webhook-form.ts'

const orders = [
  { value: 'parallel', label: 'Side by side' },
  { value: 'ordered', label: 'In order, one at a time' },
  { value: 'shuffled', label: 'Shuffled' },
] as const

const orderHints: Record<WebhookForm['order'], string> = {
  parallel: 'Up to four at once; they start in order.',
  ordered: 'A receiver that is down stops the line.',
  shuffled: 'To test a receiver that must not rely on order.',
}

/** What the fields tell themselves, see FormError. */
export const webhookFieldPaths = ['name', 'user', 'url', 'job', 'watched', 'secret']

export interface WebhookFieldsProps {
  form: WebhookForm
  onChange: (part: Partial<WebhookForm>) => void
  /** What is wrong with the field at a path. */
  issue: (path: string) => string | undefined
  /** Whose webhook it is does not change any more. */
  ownerFixed: boolean
}

export function WebhookFields(props: WebhookFieldsProps) {
  const { form, onChange, issue } = props
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Name"
          hint="For you; the hub has none"
          error={issue('name')}
          value={form.name}
          placeholder="retrain"
          onChange={(name) => onChange({ name })}
        />
        <OwnerField {...props} />
      </div>
      <Segments
        label="What happens"
        value={form.target}
        onChange={(target) => onChange({ target })}
        options={[
          { value: 'url', label: 'Call an address' },
          { value: 'job', label: 'Start a job' },
        ]}
      />
      {form.target === 'url' ? <AddressField {...props} /> : <JobFields {...props} />}
      <WatchedField form={form} error={issue('watched')} onChange={onChange} />
      <fieldset className="flex flex-col gap-1.5">
        <legend className="pb-1 text-xs font-medium">Events</legend>
        <Checkbox checked={form.repo} onChange={(repo) => onChange({ repo })}>
          Repositories: content, settings, moves
        </Checkbox>
        <Checkbox checked={form.discussion} onChange={(discussion) => onChange({ discussion })}>
          Discussions, pull requests and comments
        </Checkbox>
      </fieldset>
      <TextField
        label="Secret"
        hint="Sent as X-Webhook-Secret; ASCII"
        error={issue('secret')}
        className="font-mono text-xs!"
        value={form.secret}
        onChange={(secret) => onChange({ secret })}
      />
      <Field label="Order" hint={orderHints[form.order]}>
        {(control) => (
          <Select
            {...control}
            value={form.order}
            onChange={(order) => onChange({ order })}
            options={orders}
          />
        )}
      </Field>
      <Checkbox
        checked={form.acceptSelfSigned}
        onChange={(acceptSelfSigned) => onChange({ acceptSelfSigned })}
      >
        Accept any certificate of an https address
      </Checkbox>
    </>
  )
}

function OwnerField({ form, onChange, issue, ownerFixed }: WebhookFieldsProps) {
  const users = useUsers().data?.items ?? []
  return (
    <Field label="Owner" error={issue('user')}>
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

function AddressField({ form, onChange, issue }: WebhookFieldsProps) {
  return (
    <TextField
      label="Address"
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
        hint="Executed only where the sandbox was started with --run-jobs for it"
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
