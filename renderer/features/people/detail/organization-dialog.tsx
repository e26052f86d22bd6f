import type { OrganizationItem } from '../../../../server/contract/control-accounts.ts'
import { useUsers } from '../../../api/accounts.ts'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { Select, SelectField } from '../../../ui/select.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { changedParts } from '../../../lib/changed-parts.ts'
import { plural } from '../../../lib/format.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import {
  useCreateOrganization,
  useDeleteOrganization,
  useUpdateOrganization,
} from '../model/requests.ts'
import { useBelongings } from '../model/belongings.ts'
import { plans, type Role } from '../../../../server/contract/words/account-words.ts'
import { words } from '../words.ts'

/** Role by username. */
type Members = ReadonlyMap<string, Role>
type Restriction = OrganizationItem['securityRestrictions'][number]

const planOptions = plans.map((value) => ({
  value,
  label: value,
}))

const roles: readonly { value: Role | 'none'; label: string }[] = [
  { value: 'none', label: 'not a member' },
  { value: 'no_access', label: 'no access' },
  { value: 'read', label: 'read' },
  { value: 'contributor', label: 'contributor' },
  { value: 'write', label: 'write' },
  { value: 'admin', label: 'admin' },
]

const restrictions: readonly { type: Restriction['type']; label: string }[] = [
  { type: 'mfa', label: 'Two-factor authentication required' },
  { type: 'sso', label: 'Single sign-on required' },
  { type: 'ip', label: 'IP address not allowed' },
  { type: 'token-policy', label: 'Token violates the policy' },
  { type: 'token-revoked', label: 'Token revoked by an administrator' },
]

interface OrganizationDialogProps {
  /** Organization to edit; absent to add one. */
  organization: OrganizationItem | undefined
  onClose: () => void
}

/** Form fields of an organization. */
interface OrganizationForm {
  name: string
  fullname: string
  plan: OrganizationItem['plan']
  defaultVisibility: OrganizationItem['defaultVisibility']
  members: Members
  barred: readonly Restriction[]
}

function formOf(organization: OrganizationItem | undefined): OrganizationForm {
  return {
    name: organization?.name ?? '',
    fullname: organization?.fullname ?? '',
    plan: organization?.plan ?? 'team',
    defaultVisibility: organization?.defaultVisibility ?? 'public',
    members: new Map(organization?.members.map(({ user, role }) => [user.username, role])),
    barred: organization?.securityRestrictions ?? [],
  }
}

function requestOf({ name, fullname, plan, defaultVisibility, members, barred }: OrganizationForm) {
  return omitUndefined({
    name,
    plan,
    defaultVisibility,
    fullname: fullname || undefined,
    members: [...members].map(([user, role]) => ({ user, role })),
    securityRestrictions: [...barred],
  })
}

export function OrganizationDialog({ organization, onClose }: OrganizationDialogProps) {
  const create = useCreateOrganization()
  const update = useUpdateOrganization(organization?.name ?? '')
  const { error, isPending } = organization ? update : create
  const { opened, form, patch, field } = useForm(() => formOf(organization), error)

  function submit(): void {
    const request = requestOf(form)
    const done = { onSuccess: onClose }
    if (organization) update.mutate(changedParts(requestOf(opened), request), done)
    else create.mutate(request, done)
  }

  return (
    <FormDialog
      title={organization ? words.editTitle(organization.name) : words.addOrganization}
      action={organization ? words.save : words.add}
      busy={isPending}
      onSubmit={submit}
      onClose={onClose}
      further={
        organization && <RemoveOrganization organization={organization} onRemoved={onClose} />
      }
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField label="Name" required {...field('name')} />
        <SelectField
          label="Plan"
          hint="Token exchange requires enterprise or plus"
          value={form.plan}
          onChange={(plan) => patch({ plan })}
          options={planOptions}
        />
      </div>
      <TextField
        label={words.fullName}
        // Required in edits only: the sandbox generates it for a new organization.
        required={organization !== undefined}
        value={form.fullname}
        onChange={(fullname) => patch({ fullname })}
      />
      <Checkbox
        checked={form.defaultVisibility === 'private'}
        onChange={(isPrivate) => patch({ defaultVisibility: isPrivate ? 'private' : 'public' })}
      >
        New repos are private by default
      </Checkbox>
      <MembersField members={form.members} onChange={(members) => patch({ members })} />
      <RestrictionsField barred={form.barred} onChange={(barred) => patch({ barred })} />
      <FormError error={error} beside={['name']} />
    </FormDialog>
  )
}

interface MembersFieldProps {
  members: Members
  onChange: (members: Members) => void
}

function MembersField({ members, onChange }: MembersFieldProps) {
  const users = useUsers().data?.items ?? []
  function setRole(username: string, role: Role | 'none'): void {
    const next = new Map(members)
    if (role === 'none') next.delete(username)
    else next.set(username, role)
    onChange(next)
  }
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="pb-1 text-xs font-medium">Members</legend>
      {users.map(({ username }) => (
        <div key={username} className="flex items-center justify-between gap-3">
          <span className="min-w-0">{username}</span>
          <Select
            label={`Role of ${username}`}
            className="w-36 shrink-0"
            value={members.get(username) ?? 'none'}
            onChange={(role) => setRole(username, role)}
            options={roles}
          />
        </div>
      ))}
    </fieldset>
  )
}

interface RestrictionsFieldProps {
  barred: readonly Restriction[]
  onChange: (barred: readonly Restriction[]) => void
}

function RestrictionsField({ barred, onChange }: RestrictionsFieldProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="pb-1 text-xs font-medium">Simulate access restrictions</legend>
      {restrictions.map(({ type, label }) => {
        const present = barred.find((item) => item.type === type)
        return (
          <Checkbox
            key={type}
            checked={present !== undefined}
            onChange={(checked) =>
              onChange(checked ? [...barred, { type }] : barred.filter((item) => item !== present))
            }
          >
            {label}
            {present?.users && ` (${present.users.join(', ')})`}
          </Checkbox>
        )
      })}
    </fieldset>
  )
}

interface RemoveOrganizationProps {
  organization: OrganizationItem
  onRemoved: () => void
}

function RemoveOrganization({ organization, onRemoved }: RemoveOrganizationProps) {
  const { name, members } = organization
  const removing = useQuestion(useDeleteOrganization(), onRemoved)
  const belongings = useBelongings(name)
  return (
    <>
      <Button look="danger" icon="trash" onClick={() => removing.ask(name)}>
        {words.remove}
      </Button>
      <Question of={removing} title={() => words.removeTitle(name)} action="Remove organization">
        {() =>
          `This also deletes ${belongings}collections, its audit log and ${plural(members.length, 'membership')}. Its users stay.`
        }
      </Question>
    </>
  )
}
