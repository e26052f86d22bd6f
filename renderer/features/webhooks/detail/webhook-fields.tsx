import { useUsers } from '../../../api/accounts.ts'
import { Field, TextField, TextInput } from '../../../ui/field.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Select, SelectField } from '../../../ui/select.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { WatchedField } from './watched-field.tsx'
import type { WebhookForm } from '../model/webhook-form.ts'
import { words } from '../words.ts'

const orders = [
  { value: 'parallel', label: words.parallel },
  { value: 'ordered', label: words.ordered },
  { value: 'shuffled', label: words.shuffled },
] as const

const orderHints: Record<WebhookForm['order'], string> = {
  parallel: words.parallelHint,
  ordered: words.orderedHint,
  shuffled: words.shuffledHint,
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
          label={words.name}
          hint={words.nameHint}
          error={issue('name')}
          value={form.name}
          placeholder="retrain"
          onChange={(name) => onChange({ name })}
        />
        <OwnerField {...props} />
      </div>
      <Segments
        label={words.action}
        value={form.target}
        onChange={(target) => onChange({ target })}
        options={[
          { value: 'url', label: words.sendRequest },
          { value: 'job', label: words.startAJob },
        ]}
      />
      {form.target === 'url' ? <AddressField {...props} /> : <JobFields {...props} />}
      <WatchedField form={form} error={issue('watched')} onChange={onChange} />
      <fieldset className="flex flex-col gap-1.5">
        <legend className="pb-1 text-xs font-medium">{words.events}</legend>
        <Checkbox checked={form.repo} onChange={(repo) => onChange({ repo })}>
          {words.repoEvents}
        </Checkbox>
        <Checkbox checked={form.discussion} onChange={(discussion) => onChange({ discussion })}>
          {words.discussionsPullRequestsAndComments}
        </Checkbox>
      </fieldset>
      <TextField
        label={words.secret}
        hint={words.secretHint}
        error={issue('secret')}
        className="font-mono text-xs!"
        value={form.secret}
        onChange={(secret) => onChange({ secret })}
      />
      <SelectField
        label={words.order}
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
        {words.acceptSelfSigned}
      </Checkbox>
    </>
  )
}

function OwnerField({ form, onChange, issue, ownerFixed }: WebhookFieldsProps) {
  const users = useUsers().data?.items ?? []
  return (
    <Field label={words.owner} error={issue('owner')}>
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
      label={words.actsAs}
      hint={words.actsAsHint}
      error={issue('actsAs')}
      value={form.actsAs}
      onChange={(actsAs) => onChange({ actsAs })}
      options={[
        { value: '', label: words.actsAsNobody },
        ...users.map(({ username }) => ({ value: username, label: username })),
      ]}
    />
  )
}

function AddressField({ form, onChange, issue }: WebhookFieldsProps) {
  return (
    <TextField
      label={words.url}
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
        label={words.image}
        hint={words.imageHint}
        error={issue('job')}
        required
        value={form.image}
        placeholder="python:3.12"
        onChange={(image) => onChange({ image })}
      />
      <TextField
        label={words.command}
        value={form.command}
        placeholder="python retrain.py"
        onChange={(command) => onChange({ command })}
      />
    </>
  )
}
